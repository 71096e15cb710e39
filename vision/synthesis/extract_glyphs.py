"""Turn the characters and digits of the tiles into outlines, once, on a developer's machine.

The product needs no font: it reads ``glyphs.json``, which this script writes from openly licensed fonts (see README.md in
this folder for the fonts and their licences). On Debian::

    apt-get install fonts-cns11643-kai fonts-lxgw-wenkai fonts-yusei-magic fonts-noto-cjk
    pip install fonttools
    python -m vision.synthesis.extract_glyphs [--fonts /usr/share/fonts]
    python -m vision.synthesis.write_faces
"""

import argparse
import json
import sys
from pathlib import Path

from vision.synthesis.scripts import glyph_outline

HERE = Path(__file__).parent
CHARACTERS = "一二三四五伍六七八九萬万東东南西北白中發发春夏秋冬梅蘭兰竹菊"
LATIN = "123456789ESWNCFP"
# script: (file below the fonts folder, number inside a collection). "kai" is the brush hand that most sets are cut in.
FONTS: dict[str, tuple[str, int]] = {
    "kai": ("truetype/cns11643/TW-Kai-98_1.ttf", 0),
    "wenkai": ("truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", 0),
    "marker": ("truetype/yusei-magic/YuseiMagic-Regular.ttf", 0),
    "song": ("opentype/noto/NotoSerifCJK-Bold.ttc", 3),
    "hei": ("opentype/noto/NotoSansCJK-Bold.ttc", 3),
}


def main() -> int:
    """Write ``glyphs.json`` beside this file; returns 1 if a font is missing."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, nargs="+", default=[Path("/usr/share/fonts")])
    folders: list[Path] = parser.parse_args().fonts
    scripts: dict[str, dict[str, str]] = {}
    for script, (file, number) in FONTS.items():
        path = next((folder / file for folder in folders if (folder / file).exists()), None)
        if path is None:
            sys.stderr.write(f"{file} is in none of the folders; see the head of this script for the packages\n")
            return 1
        font = TTFont(path, fontNumber=number)
        outlines = {character: glyph_outline(font, character) for character in CHARACTERS + LATIN}
        scripts[script] = {character: outline for character, outline in outlines.items() if outline}
    lines = [
        f'  "{script}": {{\n'
        + ",\n".join(f"    {json.dumps(c, ensure_ascii=False)}: {json.dumps(path)}" for c, path in glyphs.items())
        + "\n  }"
        for script, glyphs in scripts.items()
    ]
    (HERE / "glyphs.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
