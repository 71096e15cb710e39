"""From pixels to tiles: finding, naming, following over time, and laying out what lies on the table."""
