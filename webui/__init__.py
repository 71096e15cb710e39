"""The page and the JSON API: the only place that knows HTTP and a browser."""
