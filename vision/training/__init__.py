"""Training of both models; needs the extra ``train`` (torch, ultralytics)."""
