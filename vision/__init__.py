"""From pixels to tiles: finding, naming, following over time, and laying out what lies on the table."""

from pathlib import Path
from typing import Final

#: The folder with the shipped networks: beside the packages, in a checkout as in an installed copy.
MODELS: Final = Path(__file__).resolve().parents[1] / "models"
