"""Write the classic drawings to ``faces/``: ``python -m vision.synthesis.write_faces``."""

from pathlib import Path

from engine.tiles import CODES
from vision.synthesis.tiles import BACK, svg

FACES = Path(__file__).with_name("faces")


def main() -> None:
    """Write 42 faces and the back, overwriting what is there."""
    for code in (*CODES, BACK):
        (FACES / f"{code}.svg").write_text(svg(code), encoding="utf-8")


if __name__ == "__main__":
    main()
