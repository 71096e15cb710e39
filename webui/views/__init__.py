"""One blueprint for each area of the site."""
