"""The pictures of a set: the bird of 1s, the four seasons and the four plants.

Every picture uses the colour names of the style's palette (red, green, blue, ink, brown, pink, gold, violet, sky), so one
drawing serves sets of many colours and sets of three.
"""

import math

from vision.synthesis.drawing import Pen, leaf, path, petal, polar


def _branch(pen: Pen, colour: str, *limbs: tuple[str, float]) -> None:
    for line, width in limbs:
        pen.line(line, colour, width)


def _blossom(
    pen: Pen, x: float, y: float, radius: float, colour: str, heart: str, petals: int = 5, turn: float = -90.0
) -> None:
    """A flower seen from the front."""
    width = radius * 0.62 if petals == 5 else radius * 2.2 / petals
    for index in range(petals):
        degrees = turn + index * 360 / petals
        pen.area(petal(x, y, degrees, radius * 0.1, radius * 0.92, width), colour, line="face", width=2)
    pen.disc(x, y, radius * 0.2, heart)
    for index in range(petals):
        pen.disc(*polar(x, y, radius * 0.4, turn + (index + 0.5) * 360 / petals), radius * 0.075, heart)


def bird_peacock(pen: Pen) -> None:
    """A peacock on a bamboo, its train raised behind it."""
    root = (150.0, 262.0)
    for degrees, length in ((-74, 232), (-58, 216), (-42, 186), (-24, 152), (-4, 128)):
        pen.area(leaf(*root, degrees, length, 36), "green", line="face", width=3)
        pen.line(path("M", root, "L", polar(*root, length * 0.74, degrees)), "face", 2.5)
        eye = polar(*root, length * 0.74, degrees)
        pen.disc(*eye, 15, "gold")
        pen.disc(*eye, 10, "blue")
        pen.disc(*eye, 4.5, "face")
    # body and neck in one stroke of the brush
    pen.area("M84 108C70 128 92 150 84 186C76 224 88 268 128 284C172 300 206 278 204 246C202 214 160 214 138 190"
             "C118 168 122 140 120 118C116 96 96 92 84 108Z", "blue", line="face", width=3)  # fmt: skip
    for row, count in ((0, 2), (1, 3), (2, 2)):
        for index in range(count):
            x, y = 108 + index * 17 - row * 2, 212 + row * 20
            pen.line(path("M", (x - 8, y), "Q", (x, y + 13), (x + 8, y)), "face", 2.6)
    pen.area(
        "M132 226C166 214 214 232 232 268C200 278 156 276 138 258C130 248 128 236 132 226Z", "red", line="face", width=3
    )
    for offset in (0, 11, 22):
        pen.line(
            path("M", (150, 236 + offset), "Q", (180, 238 + offset), (206 - offset * 0.6, 256 + offset * 0.6)),
            "face",
            2.6,
        )
    # head, beak, eye and crest
    pen.disc(100, 104, 23, "blue")
    pen.area("M80 98L46 112L82 116Z", "gold", solid=True)
    pen.disc(95, 99, 6.5, "face")
    pen.disc(94, 99, 3.4, "ink")
    for x, y in ((88, 52), (106, 46), (124, 53)):
        pen.line(path("M", (102, 86), "L", (x, y + 4)), "blue", 3)
        pen.disc(x, y, 6.5, "red")
    # legs on the bamboo
    for x in (126, 152):
        pen.line(path("M", (x, 284), "L", (x - 4, 330), "M", (x - 18, 334), "L", (x + 9, 334)), "red", 5.5)
    pen.block(34, 338, 232, 19, "green", 6)
    for x in (98, 182):
        pen.block(x, 334, 9, 27, "green", 4)
    for x, width in ((46, 42), (118, 54), (202, 50)):
        pen.block(x, 345, width, 4.5, "face", 2)
    pen.area(leaf(232, 336, -52, 44, 9), "green")
    pen.area(leaf(240, 338, -18, 46, 9), "green")


def bird_phoenix(pen: Pen) -> None:
    """A long-tailed bird that flies up, as on many machine-cut sets."""
    for degrees, length, colour in ((40, 172, "red"), (53, 206, "green"), (66, 196, "red"), (81, 160, "blue")):
        start = (150.0, 200.0)
        pen.area(leaf(*start, degrees, length, 21, bend=-10), colour, line="face", width=3)
        pen.line(path("M", polar(*start, 50, degrees), "L", polar(*start, length * 0.85, degrees)), "face", 2.5)
    pen.area("M152 110C196 84 246 92 272 124C246 124 254 146 228 146C236 164 212 176 196 170C190 188 160 190 148 172Z",
             "blue", line="face", width=3)  # fmt: skip
    for y in (124, 142, 158):
        pen.line(path("M", (164, y), "Q", (196, y - 14), (222 - (y - 124) * 0.5, y - 4)), "face", 3)
    pen.area("M106 82C132 70 160 92 172 130C184 168 190 206 164 220C136 230 106 204 98 160C92 126 90 96 106 82Z",
             "green", line="face", width=3)  # fmt: skip
    for x, y in ((118, 150), (138, 146), (126, 172), (148, 168), (140, 194)):
        pen.line(path("M", (x - 8, y), "Q", (x, y + 12), (x + 9, y - 1)), "face", 2.6)
    pen.area("M96 132C72 134 44 156 34 190C58 184 92 196 112 178Z", "blue", line="face", width=3)
    pen.line("M58 174Q76 158 100 154M70 184Q86 172 106 168", "face", 3)
    pen.disc(104, 76, 25, "red")
    pen.area("M84 66L44 66L82 84Z", "gold", solid=True)
    pen.disc(99, 72, 7, "face")
    pen.disc(98, 72, 3.6, "ink")
    pen.line("M112 54Q112 34 130 28M120 60Q128 44 148 44", "red", 6)


def bird_sparrow(pen: Pen) -> None:
    """A plump sparrow on a twig, drawn with few lines."""
    pen.area("M196 196L272 120L262 174L284 176L214 250Z", "green", line="face", width=3)
    pen.line("M214 206L262 142M222 224L270 184", "face", 3)
    pen.area("M60 148C60 96 112 80 148 104C196 132 230 180 218 230C206 280 148 300 108 276C70 252 60 196 60 148Z",
             "green", line="face", width=3)  # fmt: skip
    pen.area("M82 194C92 240 128 266 166 258C150 282 116 280 98 258C86 242 80 216 82 194Z", "face", solid=True)
    pen.area("M128 158C172 154 208 190 210 232C172 242 134 222 126 188Z", "red", line="face", width=3)
    pen.line("M144 176Q178 184 194 216M140 194Q164 202 178 224", "face", 3.5)
    pen.disc(100, 126, 13, "face")
    pen.disc(98, 127, 7, "ink")
    pen.area("M64 126L24 146L66 158Z", "red", solid=True)
    for x in (124, 154):
        pen.line(path("M", (x, 282), "L", (x, 326)), "ink", 6)
        pen.line(path("M", (x - 16, 330), "L", (x + 12, 330)), "ink", 6)
    pen.line("M36 348Q150 326 268 342", "brown", 14)
    pen.area(leaf(226, 336, -34, 54, 13), "green")
    pen.area(leaf(70, 344, -140, 44, 12), "green")


def bird_parrot(pen: Pen) -> None:
    """A crested bird upright on a perch, its long tail hanging down, as on most machine-made sets."""
    for degrees, length, colour in ((118, 196, "red"), (104, 208, "ink"), (92, 176, "red")):
        pen.area(leaf(164, 190, degrees, length, 17), colour, line="face", width=3)
    pen.area("M142 96C186 92 216 132 210 182C204 226 176 252 146 244C118 232 112 180 118 142C120 118 128 100 142 96Z",
             "green", line="face", width=3)  # fmt: skip
    pen.area("M176 128C212 132 236 170 226 226C196 232 168 204 166 168Z", "blue", line="face", width=3)
    pen.line("M186 150Q208 170 210 208M178 168Q194 186 198 214", "face", 4)
    for x, y in ((138, 136), (154, 158), (136, 176), (152, 198)):
        pen.line(path("M", (x - 9, y), "Q", (x, y + 12), (x + 9, y)), "face", 3)
    pen.disc(138, 88, 27, "green")
    pen.area("M114 82L84 96L116 104Z", "red", solid=True)
    pen.disc(132, 84, 8, "face")
    pen.disc(131, 85, 4, "ink")
    for tip, control in (((206, 36), (168, 34)), ((194, 56), (164, 54)), ((172, 30), (150, 40))):
        pen.line(path("M", (142, 68), "Q", control, tip), "red", 8)
    for x in (132, 158):
        pen.line(path("M", (x, 240), "L", (x - 6, 276), "M", (x - 24, 280), "L", (x + 10, 280)), "blue", 7)
    pen.line("M64 284L236 292", "brown", 9)


def bird_fan(pen: Pen) -> None:
    """A peacock from the front, its train spread behind it: a fan of eyes."""
    root = (150.0, 262.0)
    for ring, count in ((128, 9), (86, 6)):
        for index in range(count):
            degrees = -90 + (index - (count - 1) / 2) * (176 / count)
            x, y = polar(*root, ring, degrees)
            pen.line(path("M", root, "L", (x, y)), "green", 5)
            pen.disc(x, y, 20, "green")
            pen.ring(x, y, 15, "face", 4)
            pen.disc(x, y, 8, "blue")
    pen.area("M150 168C176 168 180 200 174 230C204 262 196 318 150 326C104 318 96 262 126 230C120 200 124 168 150 168Z",
             "blue", line="face", width=4)  # fmt: skip
    pen.disc(150, 168, 22, "blue")
    pen.disc(142, 164, 6, "face")
    pen.area("M132 168L104 178L134 182Z", "red", solid=True)
    for x in (136, 150, 164):
        pen.line(path("M", (150, 150), "L", (x + (x - 150) * 0.4, 122)), "red", 5)
    for y in (246, 270, 294):
        pen.line(path("M", (118, y), "Q", (150, y + 16), (182, y)), "face", 4)
    pen.line("M134 324L128 372M166 324L172 372M112 374L142 374M158 374L188 374", "red", 7)


def bird_crane(pen: Pen) -> None:
    """A long-legged bird of few cut lines."""
    pen.line("M92 76Q118 52 138 76Q150 110 124 140Q104 178 142 200", "green", 10)
    pen.line("M92 76L54 92", "red", 9)
    pen.ring(116, 78, 9, "red", 6)
    pen.line("M112 56Q134 34 158 42M122 62Q146 50 166 62", "red", 7)
    pen.line("M142 200Q196 176 246 214Q222 268 158 262Q124 248 142 200", "green", 10)
    for y in (206, 224, 242):
        pen.line(path("M", (156, y), "Q", (196, y - 8), (232, y + 2)), "red" if y == 224 else "green", 7)
    pen.line("M240 214Q270 240 262 292M230 234Q252 262 240 306M218 248Q232 276 218 316", "green", 8)
    pen.line("M166 262L150 322L122 352M186 262L182 324L206 354M122 352L98 348M206 354L230 350", "green", 9)
    pen.line("M66 372L244 376", "green", 9)


BIRDS = {
    "peacock": bird_peacock, "phoenix": bird_phoenix, "sparrow": bird_sparrow, "parrot": bird_parrot, "fan": bird_fan,
    "crane": bird_crane,
}  # fmt: skip


def plum(pen: Pen) -> None:
    """梅: red blossoms on a bare, angular branch."""
    _branch(pen, "brown", ("M84 386Q100 340 122 318", 19), ("M122 318Q164 282 154 236", 14), ("M154 236Q150 200 206 150", 9),
            ("M150 262Q196 258 236 276", 7), ("M128 312Q84 292 70 244", 8), ("M70 244Q66 222 84 196", 5),
            ("M206 150Q224 132 226 112", 5))  # fmt: skip
    for x, y, radius, turn in ((200, 160, 41, -90), (84, 222, 36, -60), (224, 272, 34, -100), (146, 288, 31, -75)):
        _blossom(pen, x, y, radius, "red", "gold", turn=turn)
    for x, y in ((228, 106), (88, 182), (252, 232), (150, 200)):
        pen.disc(x, y, 11, "red")


def orchid(pen: Pen) -> None:
    """蘭: arching blades and two slender flowers."""
    root = (146.0, 384.0)
    for tip, control, width in (
        ((40, 250), (108, 236), 26), ((24, 330), (76, 286), 22), ((272, 262), (192, 220), 26), ((280, 342), (222, 280), 22),
        ((92, 178), (128, 260), 20), ((222, 168), (162, 240), 20),
    ):  # fmt: skip
        back = (control[0] + width, control[1] + width * 1.4)
        pen.area(
            path("M", root, "Q", control, tip, "Q", back, (root[0] + 9, root[1]), "Z"), "green", line="face", width=2
        )
    pen.line("M150 380Q156 280 150 206", "green", 5)
    pen.line("M152 320Q188 268 226 236", "green", 4)
    for x, y, size, turn in ((150, 190, 50, 0.0), (232, 226, 38, 25.0)):
        for degrees in (-90, -18, 54, 126, 198):
            pen.area(leaf(x, y, degrees + turn, size, size * 0.34), "violet", line="face", width=2)
        pen.disc(x, y, size * 0.17, "gold")


def bamboo(pen: Pen) -> None:
    """竹: jointed stalks and drooping leaves."""
    for x, top, bottom, width, lean in ((118, 122, 388, 22, 4), (176, 92, 388, 25, -6), (222, 196, 388, 16, 8)):
        joints = 5 if top < 150 else 3
        step = (bottom - top) / joints
        for joint in range(joints):
            y0, y1 = top + joint * step + 3, top + (joint + 1) * step - 3
            x0, x1 = x + lean * (1 - joint / joints), x + lean * (1 - (joint + 1) / joints)
            half, waist = width / 2, width * 0.38
            pen.area(path("M", (x0 - half, y0), "L", (x0 + half, y0), "Q", (x0 + waist, (y0 + y1) / 2), (x1 + half, y1),
                          "L", (x1 - half, y1), "Q", (x1 - waist, (y0 + y1) / 2), (x0 - half, y0), "Z"), "green")  # fmt: skip
    for x, y, side in ((112, 180, -1), (186, 152, 1), (110, 290, -1), (228, 262, 1), (182, 236, 1)):
        for degrees, length in ((18, 66), (48, 74), (80, 56)):
            angle = degrees if side > 0 else 180 - degrees
            pen.area(leaf(x, y, angle, length, 11), "green", line="face", width=2)
    pen.line("M70 388L252 388", "green", 6)


def chrysanthemum(pen: Pen) -> None:
    """菊: a full head of thin petals and lobed leaves."""
    pen.line("M150 386Q146 320 156 236", "green", 8)
    pen.line("M150 330Q196 312 218 290", "green", 6)
    for x, y, degrees in ((148, 340, 205), (150, 358, -28)):
        for turn, length in ((0, 92), (-34, 60), (34, 60)):
            pen.area(leaf(x, y, degrees + turn, length, 19), "green", line="face", width=2)
    for x, y, size in ((154, 206, 1.0), (226, 278, 0.5)):
        for index in range(18):
            pen.area(petal(x, y, index * 20, 20 * size, 58 * size, 11.5 * size), "gold", line="face", width=1.5)
        for index in range(12):
            pen.area(petal(x, y, index * 30 + 8, 8 * size, 38 * size, 9 * size), "amber", line="face", width=1.5)
        pen.disc(x, y, 12 * size, "red")


def spring(pen: Pen) -> None:
    """春: a peony in leaf and a butterfly."""
    pen.line("M150 386Q138 330 152 264", "green", 8)
    for x, y, degrees in ((146, 348, 200), (148, 330, -30), (150, 366, -8), (146, 368, 168)):
        pen.area(leaf(x, y, degrees, 92, 24), "green", line="face", width=2)
        pen.line(path("M", (x, y), "L", polar(x, y, 66, degrees)), "face", 2)
    for count, radius, colour in ((7, 72, "pink"), (6, 50, "red"), (5, 30, "pink")):
        for index in range(count):
            pen.area(petal(150, 234, index * 360 / count - 90, radius * 0.15, radius * 0.86, radius * 2.3 / count), colour,
                     line="face", width=2)  # fmt: skip
    pen.disc(150, 234, 9, "gold")
    for degrees, length, width in ((-52, 44, 22), (-128, 44, 22), (35, 28, 15), (145, 28, 15)):
        pen.area(petal(74, 146, degrees, 2, length, width), "blue", line="face", width=2)
    pen.line("M74 130L74 166M74 130Q68 116 60 112M74 130Q80 116 88 112", "ink", 3.5)


def summer(pen: Pen) -> None:
    """夏: a lotus above its leaf and the water."""
    pen.line("M168 376Q176 320 160 262", "green", 8)
    pen.line("M112 376Q92 350 88 330", "green", 7)
    pen.area("M30 322C36 296 132 292 150 318C138 346 46 350 30 322Z", "green", line="face", width=2)
    for degrees in (196, 226, 262, -52, -20, 160, 20):
        pen.line(path("M", (90, 318), "L", (90 + 42 * math.cos(math.radians(degrees)), 318 + 14 * math.sin(math.radians(degrees)))),
                 "face", 2)  # fmt: skip
    for degrees, length, width, colour in (
        (-168, 92, 22, "pink"), (-12, 92, 22, "pink"), (-146, 100, 25, "red"), (-34, 100, 25, "red"), (-120, 108, 26, "pink"),
        (-60, 108, 26, "pink"), (-90, 114, 30, "red"),
    ):  # fmt: skip
        pen.area(leaf(160, 264, degrees, length, width), colour, line="face", width=2.5)
    pen.area("M138 252Q160 238 182 252L176 276Q160 284 144 276Z", "gold", line="face", width=2)
    pen.area(leaf(236, 360, -86, 104, 17), "green", line="face", width=2)
    for y, x0, x1 in ((376, 44, 256), (392, 84, 222)):
        pen.line(path("M", (x0, y), "Q", ((x0 * 3 + x1) / 4, y - 9), ((x0 + x1) / 2, y), "Q", ((x0 + 3 * x1) / 4, y + 9), (x1, y)),
                 "blue", 5)  # fmt: skip


def _maple(pen: Pen, x: float, y: float, size: float, turn: float, colour: str) -> None:
    points: list[tuple[float, float]] = []
    for lobe, reach in ((-118, 0.6), (-58, 0.92), (0, 1.0), (58, 0.92), (118, 0.6)):
        points += [(lobe - 29, 0.44), (lobe - 20, reach * 0.72), (lobe - 11, reach * 0.7), (lobe, reach), (lobe + 11, reach * 0.7),
                   (lobe + 20, reach * 0.72)]  # fmt: skip
    points += [(147, 0.44), (163, 0.42), (180, 0.22), (197, 0.42), (213, 0.44)]
    spots = [polar(x, y, size * radius, turn + degrees) for degrees, radius in points]
    items: list[str | tuple[float, float]] = ["M", spots[0]]
    for spot in spots[1:]:
        items += ["L", spot]
    pen.line(path("M", (x, y), "L", polar(x, y, size * 0.78, turn + 180)), colour, size * 0.07)
    pen.area(path(*items, "Z"), colour, line="face", width=1.5)
    for lobe, reach in ((-56, 0.66), (0, 0.76), (56, 0.66)):
        pen.line(path("M", (x, y), "L", polar(x, y, size * reach, turn + lobe)), "face", 2)


def autumn(pen: Pen) -> None:
    """秋: red maple leaves fall from the branch."""
    _branch(pen, "brown", ("M40 386Q78 300 128 262", 13), ("M128 262Q176 226 196 158", 8), ("M104 284Q170 290 222 268", 6),
            ("M70 328Q60 276 66 244", 6))  # fmt: skip
    _maple(pen, 176, 172, 78, -70, "red")
    _maple(pen, 82, 232, 60, -120, "amber")
    _maple(pen, 226, 276, 58, 10, "red")
    _maple(pen, 170, 350, 46, 65, "amber")


def winter(pen: Pen) -> None:
    """冬: a pine under snow."""
    pen.block(141, 330, 20, 56, "brown", 4)
    for top, half, height in ((242, 104, 96), (182, 82, 92), (122, 58, 88)):
        bottom = top + height
        pen.area(path("M", (151, top), "L", (151 + half, bottom), "Q", (151 + half * 0.5, bottom - 8), (151, bottom), "Q",
                      (151 - half * 0.5, bottom - 8), (151 - half, bottom), "Z"), "green", line="face", width=3)  # fmt: skip
        pen.area(path("M", (151, top), "L", (151 + half * 0.45, top + height * 0.45), "Q", (151 + half * 0.28, top + height * 0.34),
                      (151 + half * 0.12, top + height * 0.5), "Q", (151, top + height * 0.36), (151 - half * 0.16, top + height * 0.5),
                      "Q", (151 - half * 0.3, top + height * 0.34), (151 - half * 0.45, top + height * 0.45), "Z"),
                 "face", solid=True, line="green", width=3)  # fmt: skip
    pen.line("M44 388Q100 374 151 386Q206 374 262 388", "blue", 6)
    for x, y, size in ((60, 190, 21), (246, 178, 19), (42, 282, 15), (262, 280, 14)):
        for degrees in (30, 90, 150):
            pen.line(path("M", polar(x, y, size, degrees), "L", polar(x, y, -size, degrees)), "blue", 4)
            for end in (size, -size):
                pen.disc(*polar(x, y, end, degrees), 3.4, "blue")


# by the digit of the code: 1f 春 2f 夏 3f 秋 4f 冬 5f 梅 6f 蘭 7f 竹 8f 菊
FLOWERS = (spring, summer, autumn, winter, plum, orchid, bamboo, chrysanthemum)
