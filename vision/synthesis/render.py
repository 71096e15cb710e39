"""Draw a scene: a table with tiles on it, seen by a pinhole camera, and the exact boxes of what is visible.

>>> from vision.synthesis.scene import PlacedTile, Scene
>>> picture = render(Scene(320, 240, tiles=(PlacedTile("1s", 0, 60),)), np.random.default_rng(1))
>>> picture.image.shape, picture.boxes[0].code
((240, 320, 3), '1s')
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthesis.backdrop import backdrop
from vision.synthesis.dice import dice, paste
from vision.synthesis.geometry import Body, Floats, corners, project, rings, rotation
from vision.synthesis.optics import Image, dim, expose, soften
from vision.synthesis.scene import Block, Colour, Cup, Dice, Flat, Hand, Look, PlacedTile, Prop, Scene
from vision.synthesis.tiles import BACK, raster

__all__ = ["Box", "Canvas", "PlacedTile", "Rendered", "Scene", "render"]

_SHIFT = 4  # fractional bits of OpenCV's drawing coordinates
_MASTERS = (128, 512)  # heights at which faces are rasterised
_NOBODY = -1
_PROP = -2


@dataclass(frozen=True)
class Box:
    """One tile in the picture.

    Attributes:
        code: MPSZ code of the face that is seen, or ``"back"``.
        xyxy: left, top, right, bottom of the visible part of the face (or of the back), pixels.
        polygon: (4, 2) float32, the whole face's corners from its own top left clockwise, pixels; may leave the picture.
        visible: part of the face that is neither covered nor outside the picture, 0–1.
        index: place of the tile in ``Scene.tiles``.
    """

    code: str
    xyxy: tuple[float, float, float, float]
    polygon: npt.NDArray[np.float32]
    visible: float
    index: int

    @property
    def short(self) -> float:
        """The shorter side of the visible part, pixels."""
        left, top, right, bottom = self.xyxy
        return min(right - left, bottom - top)


@dataclass(frozen=True)
class Rendered:
    """A picture (height, width, 3) BGR and the boxes of its tiles, in the order of the scene."""

    image: Image
    boxes: list[Box]


def render(scene: Scene, rng: np.random.Generator, *, min_visible: float = 0.25) -> Rendered:
    """Draw a scene. The same scene and the same state of ``rng`` give the same picture.

    Args:
        scene: what to draw.
        rng: textures, lamps and noise are drawn from it.
        min_visible: tiles of which less is visible get no box.

    Raises:
        ValueError: an unknown tile code, art style or texture.
    """
    canvas = Canvas(scene, rng)
    canvas.add(scene.tiles, scene.props)
    boxes = [box for box in canvas.boxes() if box.visible >= min_visible]
    return Rendered(expose(canvas.picture.astype(np.float32), scene.optics, rng, canvas.owner >= 0), boxes)


@dataclass(frozen=True)
class _Pose:
    """Tile frame to world: ``points @ turn.T + origin``."""

    turn: Floats
    origin: Floats

    def world(self, points: Floats) -> Floats:
        result: Floats = points @ self.turn.T + self.origin
        return result


def _pose(tile: PlacedTile, body: Body) -> _Pose:
    turn = rotation(tile.yaw, tile.pitch, tile.roll)
    if tile.code == BACK:
        turn = turn @ np.diag([-1.0, 1.0, -1.0])
    middle = turn @ np.array([0.0, 0.0, -body.depth / 2])
    lowest = min(float((ring @ turn.T)[:, 2].min()) for ring in rings(body))
    return _Pose(turn, np.array([tile.x - middle[0], tile.y - middle[1], tile.z - lowest]))


class Canvas:
    """A picture under construction: the table first, then solids from far to near.

    ``copy`` is cheap, so that a still table can be kept and something moving drawn over copies of it.
    """

    def __init__(self, scene: Scene, rng: np.random.Generator) -> None:
        self.scene = scene
        self.matrix = scene.camera.matrix(scene.width, scene.height)
        self.light = scene.light.direction()
        self.picture: Image = backdrop(scene.table, self.matrix, scene.width, scene.height, rng)
        self.owner = np.full((scene.height, scene.width), _NOBODY, np.int16)
        self.placed: list[PlacedTile] = []
        # What is known of the boxes, and the owner map for which it is true.
        self._known: dict[int, Box | None] = {}
        self._known_owner = self.owner.copy()

    def copy(self) -> "Canvas":
        """An independent canvas with the same content."""
        twin = object.__new__(Canvas)
        twin.scene, twin.matrix, twin.light = self.scene, self.matrix, self.light
        twin.picture, twin.owner, twin.placed = self.picture.copy(), self.owner.copy(), list(self.placed)
        twin._known, twin._known_owner = dict(self._known), self._known_owner
        return twin

    def add(self, tiles: tuple[PlacedTile, ...] = (), props: tuple[Prop, ...] = ()) -> None:
        """Draw tiles and props with their shadows; what is added later covers what was there."""
        body = self.scene.look.body
        first = len(self.placed)
        self.placed += tiles
        poses = [_pose(tile, body) for tile in tiles]
        for prop in props:
            if isinstance(prop, Flat):
                self._flat(prop)
        self._shadows(poses, props)
        eye = np.asarray(self.scene.camera.position)
        items: list[tuple[float, int, Prop | None]] = []
        for index, pose in enumerate(poses):
            centre = pose.world(np.array([[0.0, 0.0, -body.depth / 2]]))[0]
            items.append((float(np.linalg.norm(centre - eye)), index, None))
        for prop in props:
            distance = float(np.linalg.norm(np.array([prop.x, prop.y, 0.0]) - eye))
            items.append((distance - prop.nearer if isinstance(prop, Block) else distance, -1, prop))
        hands = [prop for prop in props if isinstance(prop, Hand)]
        for _, index, thing in sorted(items, key=lambda item: -item[0]):
            if thing is None:
                self._tile(tiles[index], poses[index], first + index)
            elif isinstance(thing, Block):
                self._block(thing)
            elif isinstance(thing, Cup):
                self._cup(thing)
            elif isinstance(thing, Dice):
                self._dice(thing)
        for hand in hands:
            self._hand(hand)

    def boxes(self) -> list[Box]:
        """The boxes of all tiles of which at least one pixel is visible."""
        # Only tiles that lost or gained pixels since the last time can have changed.
        changed = self.owner != self._known_owner
        touched = {*np.unique(self.owner[changed]).tolist(), *np.unique(self._known_owner[changed]).tolist()}
        for index, tile in enumerate(self.placed):
            if index not in self._known or index in touched:
                self._known[index] = self._box(tile, index)
        self._known_owner = self.owner.copy()
        return [box for index in range(len(self.placed)) if (box := self._known[index]) is not None]

    # -- boxes ---------------------------------------------------------------------------------------------------------

    def _box(self, tile: PlacedTile, index: int) -> Box | None:
        body = self.scene.look.body
        pose = _pose(tile, body)
        eye = np.asarray(self.scene.camera.position)
        towards = eye - pose.origin
        code, z, ring = tile.code, 0.0, rings(body)[1]
        if tile.code == BACK or float(towards @ pose.turn[:, 2]) <= 0:
            # The face is turned away: what can be seen is the back.
            code, z, ring = BACK, -body.depth, rings(body)[3]
            if float((eye - pose.world(corners(body, z))[0]) @ -pose.turn[:, 2]) <= 0:
                return None
        polygon = project(self.matrix, pose.world(corners(body, z)))
        outline = project(self.matrix, pose.world(np.vstack([ring, rings(body)[0 if z == 0.0 else 4]])))
        if not np.isfinite(polygon).all() or not np.isfinite(outline).all():
            return None
        width, height = self.scene.width, self.scene.height
        low, high = np.floor(outline.min(0)).astype(int), np.ceil(outline.max(0)).astype(int)
        if (high - low).max() > 4 * max(width, height) or (high <= 0).any() or low[0] >= width or low[1] >= height:
            return None
        mask = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), np.uint8)
        _fill_hull(mask, outline - low, 1, smooth=False)
        x0, y0, x1, y1 = max(low[0], 0), max(low[1], 0), min(high[0] + 1, width), min(high[1] + 1, height)
        inside = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
        seen = (inside == 1) & (self.owner[y0:y1, x0:x1] == index)
        visible = float(seen.sum()) / max(1, int(mask.sum()))
        if not seen.any():
            return None
        if visible > 0.985:
            left, top = np.maximum(outline.min(0), 0)
            right, bottom = np.minimum(outline.max(0), (width, height))
        else:
            rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
            left, right, top, bottom = x0 + columns[0], x0 + columns[-1] + 1, y0 + rows[0], y0 + rows[-1] + 1
        xyxy = (float(left), float(top), float(right), float(bottom))
        return Box(code, xyxy, polygon.astype(np.float32), min(visible, 1.0), index)

    # -- shading -------------------------------------------------------------------------------------------------------

    def _shade(self, normal: Floats) -> float:
        """Brightness of a surface; one that faces straight up is 1."""
        light = self.scene.light
        level = light.ambient + (1 - light.ambient) * max(0.0, float(normal @ self.light))
        return level / (light.ambient + (1 - light.ambient) * float(self.light[2]))

    def _scale(self, place: Floats) -> float:
        """Pixels per millimetre at a place."""
        depth = float(self.matrix[2, :3] @ place + self.matrix[2, 3])
        return self.scene.camera.focal * max(self.scene.width, self.scene.height) / max(depth, 1.0)

    def _shadows(self, poses: list[_Pose], props: tuple[Prop, ...]) -> None:
        """Cast and contact shadows on the table (and, near a solid's foot, on what stands beside it)."""
        body, light = self.scene.look.body, self.scene.light
        if light.shadow <= 0 or not (poses or props):
            return
        outer = np.vstack([rings(body)[1], rings(body)[3]])
        solids = [pose.world(outer) for pose in poses]
        for prop in props:
            if isinstance(prop, Block):
                solids.append(_block_points(prop))
            elif isinstance(prop, Cup):
                solids.append(_cup_points(prop))
            elif isinstance(prop, Hand):
                solids += [_sphere_points(one, two) for one, two in _limbs(prop)]
        casts = [outline for points in solids if (outline := self._shadow_of(points, 1.0)) is not None]
        contacts = [
            outline
            for points in solids
            if points[:, 2].min() <= 6 and (outline := self._shadow_of(points, 0.12)) is not None
        ]
        if not casts:
            return
        scale = self._scale(np.array([*self.scene.camera.target[:2], 0.0]))
        margin = int(2 * light.softness * scale) + 4
        region = _region(np.vstack(casts + contacts), margin, self.scene.width, self.scene.height)
        if region is None:
            return
        x0, y0, x1, y1 = region
        step = 2  # the masks are drawn at half the resolution
        cast = np.zeros(((y1 - y0) // step + 1, (x1 - x0) // step + 1), np.uint8)
        contact = np.zeros_like(cast)
        for mask, outlines in ((cast, casts), (contact, contacts)):
            for outline in outlines:
                _fill_hull(mask, (outline - (x0, y0)) / step, 255)
        soft = soften(cast, max(0.6, light.softness * scale * 0.5 / step)).astype(np.float32)
        near = soften(contact, max(0.6, 2.2 * scale / step)).astype(np.float32)
        factor = (1 - light.shadow * soft / 255) * (1 - 0.75 * light.shadow * near / 255)
        enlarged = np.asarray(cv2.resize(factor, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR), np.float32)
        enlarged[self.owner[y0:y1, x0:x1] != _NOBODY] = 1.0
        part = self.picture[y0:y1, x0:x1]
        part[:] = dim(part, enlarged)

    def _shadow_of(self, points: Floats, reach: float) -> Floats | None:
        """Pixels of a solid's points thrown onto the table, ``reach`` of the full way; ``None`` behind the camera."""
        flat = points.copy()
        flat[:, :2] -= self.light[:2] * (flat[:, 2:] / self.light[2]) * reach
        flat[:, 2] = 0.0
        pixels = project(self.matrix, flat)
        return pixels if np.isfinite(pixels).all() else None

    # -- solids --------------------------------------------------------------------------------------------------------

    def _tile(self, tile: PlacedTile, pose: _Pose, index: int) -> None:
        look = self.scene.look
        self._solid(pose, look.body, look.plate, look.back, index, tile.code)

    def _solid(
        self, pose: _Pose, body: Body, front: Colour, back: Colour, ident: int, face: str | Image | None
    ) -> None:
        """A rounded box of two layers; the half that is farther away is drawn first."""
        top, shoulder, split, heel, bottom = (pose.world(ring) for ring in rings(body))
        pixels = [project(self.matrix, ring) for ring in (top, shoulder, split, heel, bottom)]
        if not all(np.isfinite(ring).all() for ring in pixels):
            return
        whole = cv2.convexHull(np.vstack(pixels).astype(np.float32)).reshape(-1, 2).astype(np.float64)
        low, high = whole.min(0), whole.max(0)
        if high[0] < 0 or high[1] < 0 or low[0] > self.scene.width or low[1] > self.scene.height:
            return
        self._occlude(whole, pose.origin)
        eye = np.asarray(self.scene.camera.position)
        normal = pose.turn[:, 2]
        towards = eye - pose.origin
        # The plane between the layers decides which of them can hide the other.
        front_last = float((eye - split.mean(0)) @ normal) > 0
        halves = [
            ("back", [split, heel, bottom], pixels[2:], back),
            ("front", [top, shoulder, split], pixels[:3], front),
        ]
        for name, world, flat, colour in halves if front_last else halves[::-1]:
            upper, lower = (world[1], world[2]) if name == "front" else (world[0], world[1])
            sides = self._side_quads(upper, lower, pose, eye)
            caps = []
            if name == "front" and float(towards @ normal) > 0:
                caps.append((flat[0], self._shade(normal)))
            if name == "back" and float((eye - bottom.mean(0)) @ -normal) > 0:
                caps.append((flat[2], self._shade(-normal)))
            shades = [shade for _, shade in sides + caps]
            edge = 0.5 * (max(shades) + float(np.mean(shades))) * 0.97 if shades else 0.8
            self._fill(np.vstack(flat), colour, edge)
            for polygon, shade in sides:
                self._fill(polygon, colour, shade)
            for polygon, shade in caps:
                if name == "front" and face is not None and not (isinstance(face, str) and face == BACK):
                    self._face(pose, body, polygon, face, shade)
                else:
                    self._fill(polygon, colour, shade)
        _fill_hull(self.owner, whole, ident, smooth=False)

    def _side_quads(self, upper: Floats, lower: Floats, pose: _Pose, eye: Floats) -> list[tuple[Floats, float]]:
        """The visible flat sides between two rings: right, top, left and bottom of the face; pixels and shade."""
        result = []
        # ring points 15 and 0 bound the right side, 3 and 4 the top, 7 and 8 the left, 11 and 12 the bottom
        for one, two, normal in (
            (15, 0, pose.turn[:, 0]),
            (3, 4, pose.turn[:, 1]),
            (7, 8, -pose.turn[:, 0]),
            (11, 12, -pose.turn[:, 1]),
        ):
            quad = np.stack([upper[one], upper[two], lower[two], lower[one]])
            if float((eye - quad.mean(0)) @ normal) > 0:
                result.append((project(self.matrix, quad), self._shade(normal)))
        return result

    def _fill(self, polygon: Floats, colour: Colour, shade: float) -> None:
        """Fill the convex hull of points with a shaded colour."""
        _fill_hull(self.picture, polygon, [min(255.0, part * shade) for part in colour])

    def _occlude(self, hull: Floats, place: Floats) -> None:
        """Darken the surroundings of a solid that is about to be drawn: little light gets between two tiles."""
        spread = max(0.7, 1.5 * self._scale(place))
        margin = int(3 * spread) + 1
        region = _region(hull, margin, self.scene.width, self.scene.height)
        if region is None:
            return
        x0, y0, x1, y1 = region
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        _fill_hull(mask, hull - (x0, y0), 255)
        mask = soften(mask, spread)
        factor = 1 - (0.8 * self.scene.light.shadow / 255) * mask.astype(np.float32)
        part = self.picture[y0:y1, x0:x1]
        part[:] = dim(part, factor)

    def _face(self, pose: _Pose, body: Body, polygon: Floats, face: str | Image, shade: float) -> None:
        """The drawing on a face, warped into the picture and shaded."""
        quad = project(self.matrix, pose.world(corners(body, 0.0)))
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        region = _region(polygon, 1, self.scene.width, self.scene.height)
        if region is None:
            return
        x0, y0, x1, y1 = region
        if isinstance(face, str):
            # As many pixels as will be seen, in steps, so that drawings can be kept.
            needed = max(sides[1], sides[3], sides[0] * 4 / 3)
            patch = _drawing(face, self.scene.look, int(np.clip(np.ceil(needed / 12) * 12, 24, 480)))
        else:
            patch = face
        height, width = patch.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, (quad - (x0, y0) - 0.5).astype(np.float32))
        warped = cv2.warpPerspective(
            patch, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        _fill_hull(mask, polygon - (x0, y0), 255)
        weight = (mask.astype(np.float32) / 255)[..., None]
        part = self.picture[y0:y1, x0:x1]
        part[:] = np.clip(part * (1 - weight) + warped * (weight * shade), 0, 255)

    # -- props ---------------------------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        width, length, height = block.size
        body = Body(width, length, height, min(width, length) * 0.12, min(width, length, height) * 0.08, 0.5)
        pose = _Pose(rotation(block.yaw, 0.0), np.array([block.x, block.y, block.z + height]))
        face: Image | None = None
        if block.screen:
            face = _phone_face(block.colour)
        elif block.printed is not None:
            face = block.printed
        self._solid(pose, body, block.colour, block.colour, _PROP, face)

    def _cup(self, cup: Cup) -> None:
        points = project(self.matrix, _cup_points(cup))
        if not np.isfinite(points).all():
            return
        self._occlude(
            cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64), np.array([cup.x, cup.y, 0.0])
        )
        half = len(points) // 2
        self._fill(points, cup.colour, 0.82)
        self._fill(points[half:], cup.colour, 1.0)
        middle = points[half:].mean(0)
        self._fill(middle + (points[half:] - middle) * 0.88, cup.tea, 1.0)
        _fill_hull(self.owner, points, _PROP, smooth=False)

    def _flat(self, flat: Flat) -> None:
        """A thin thing, drawn before all solids, so that what stands on it covers it."""
        half = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * np.asarray(flat.size) / 2
        corners_ = np.column_stack([half, np.full(4, flat.z)]) @ rotation(flat.yaw, 0.0).T + (flat.x, flat.y, 0.0)
        quad = project(self.matrix, corners_)
        if not np.isfinite(quad).all() or np.abs(quad).max() > 4 * (self.scene.width + self.scene.height):
            return
        region = _region(quad, 2, self.scene.width, self.scene.height)
        if region is None:
            return
        x0, y0, x1, y1 = region
        height, width = flat.image.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, (quad - (x0, y0) - 0.5).astype(np.float32))
        laid = cv2.warpPerspective(flat.image, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_AREA)
        cover = laid[..., 3:].astype(np.float32) / 255
        part = self.picture[y0:y1, x0:x1]
        if flat.z > 0:
            shadow = soften(cover[..., 0], max(0.7, flat.z * self._scale(corners_[0])))
            part[:] = dim(part, np.asarray(1 - 0.5 * shadow, np.float32))
        part[:] = part * (1 - cover) + laid[..., :3] * cover

    def _dice(self, group: Dice) -> None:
        eye, place = np.asarray(self.scene.camera.position), np.array([group.x, group.y, group.edge / 2])
        scale = self._scale(place)
        if not 0 < group.edge * scale < max(self.scene.width, self.scene.height) / 3:
            return  # behind the camera, or so close before it that the lens would touch it
        rise = float(np.degrees(np.arcsin((eye - place)[2] / np.linalg.norm(eye - place))))
        sprites = dice(np.random.default_rng(group.seed), group.edge * scale, len(group.spots), rise)
        far_first = sorted(
            zip(group.spots, sprites, strict=True), key=lambda one: -float(np.hypot(*(eye[:2] - place[:2] - one[0])))
        )
        for (dx, dy), sprite in far_first:
            (spot,) = project(self.matrix, np.array([[group.x + dx, group.y + dy, group.edge / 2]]))
            if not np.isfinite(spot).all():
                continue
            paste(self.picture, sprite, float(spot[0]), float(spot[1]))
            high, wide = sprite.shape[:2]
            left, top = round(spot[0] - wide / 2), round(spot[1] - high / 2)
            x0, y0, x1, y1 = (
                max(left, 0),
                max(top, 0),
                min(left + wide, self.scene.width),
                min(top + high, self.scene.height),
            )
            if x0 < x1 and y0 < y1:
                inside = sprite[y0 - top : y1 - top, x0 - left : x1 - left, 3] > 127
                self.owner[y0:y1, x0:x1][inside] = _PROP
        if group.dome:
            self._dome(group, scale, rise)

    def _dome(self, group: Dice, scale: float, rise: float) -> None:
        """A clear half ball over the dice: a bright edge, a veil and the reflection of a lamp."""
        (spot,) = project(self.matrix, np.array([[group.x, group.y, group.dome * 0.35]]))
        radius = group.dome * scale
        region = _region(np.array([spot - radius - 3, spot + radius + 3]), 1, self.scene.width, self.scene.height)
        if region is None or not np.isfinite(spot).all():
            return
        x0, y0, x1, y1 = region
        part = self.picture[y0:y1, x0:x1]
        veil = np.zeros(part.shape[:2], np.float32)
        centre = tuple(round(float(v) * 16) for v in spot - (x0, y0))
        axes = (round(radius * 16), round(radius * 16 * (0.8 + 0.2 * float(np.sin(np.radians(rise))))))
        cv2.ellipse(veil, centre, axes, 0, 0, 360, 0.12, -1, cv2.LINE_AA, 4)
        cv2.ellipse(veil, centre, axes, 0, 0, 360, 0.55, max(1, round(radius * 0.05)), cv2.LINE_AA, 4)
        shine = (round(centre[0] - radius * 6), round(centre[1] - radius * 7))
        cv2.ellipse(veil, shine, (round(radius * 3.4), round(radius * 2)), -30, 0, 360, 0.85, -1, cv2.LINE_AA, 4)
        veil = soften(veil, max(0.6, radius * 0.03))[..., None]
        part[:] = part * (1 - veil) + 245 * veil

    def _hand(self, hand: Hand) -> None:
        """Fingers, palm and forearm as chains of capsules, rounded by shading from their middle."""
        limbs = _limbs(hand)
        flat = [project(self.matrix, _sphere_points(one, two)) for one, two in limbs]
        thin = [project(self.matrix, _sphere_points(one, two, 0.55)) for one, two in limbs]
        if not all(np.isfinite(points).all() for points in flat):
            return
        everything = np.vstack(flat)
        scale = self._scale(np.array([hand.x, hand.y, hand.z]))
        region = _region(everything, int(8 * scale) + 2, self.scene.width, self.scene.height)
        if region is None:
            return
        x0, y0, x1, y1 = region
        layer = self.picture[y0:y1, x0:x1].copy()
        mask = np.zeros(layer.shape[:2], np.uint8)
        offset = np.array([-self.light[0], self.light[1]]) * -2.0 * scale
        skin, sleeve = range(1, len(limbs)), range(1)
        for group, colour in ((skin, hand.skin), (sleeve, hand.sleeve)):
            for index in group:
                hull = cv2.convexHull(_fixed(flat[index] - (x0, y0)))
                cv2.fillConvexPoly(layer, hull, [part * 0.74 for part in colour], cv2.LINE_AA, _SHIFT)
                cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SHIFT)
            for index in group:
                hull = cv2.convexHull(_fixed(thin[index] - (x0, y0) + offset))
                cv2.fillConvexPoly(layer, hull, [min(255.0, part * 1.02) for part in colour], cv2.LINE_AA, _SHIFT)
        layer = soften(layer, max(0.8, 2.2 * scale))
        mask = soften(mask, 0.8)
        weight = (mask.astype(np.float32) / 255)[..., None]
        part = self.picture[y0:y1, x0:x1]
        part[:] = part * (1 - weight) + layer * weight
        self.owner[y0:y1, x0:x1][mask > 127] = _PROP


def _fixed(points: Floats) -> npt.NDArray[np.int32]:
    """Picture coordinates to OpenCV's fixed point (pixel centres at whole numbers)."""
    return np.asarray(np.round((np.clip(points, -30000, 30000) - 0.5) * (1 << _SHIFT)), np.int32)


def _fill_hull(target: npt.NDArray[Any], points: Floats, value: int | list[float], *, smooth: bool = True) -> None:
    """Fill the convex hull of points, to the pixel.

    OpenCV draws a line round what it fills, which makes it about 0.75 (``LINE_AA``) or 0.5 pixels larger all round; the
    hull is taken in by as much.
    """
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    if len(hull) >= 3:
        following = np.concatenate((hull[1:], hull[:1]))
        edges = following - hull
        area = float(hull[:, 0] @ following[:, 1] - hull[:, 1] @ following[:, 0])
        normals = (
            np.stack([-edges[:, 1], edges[:, 0]], 1)
            / (np.linalg.norm(edges, axis=1, keepdims=True) + 1e-9)
            * np.sign(area)
        )
        before = np.concatenate((normals[-1:], normals[:-1]))
        shift = (before + normals) / np.maximum(0.5, 1 + (before * normals).sum(1, keepdims=True))
        hull = hull + shift * (0.75 if smooth else 0.5)
    cv2.fillConvexPoly(target, _fixed(hull), value, cv2.LINE_AA if smooth else cv2.LINE_8, _SHIFT)


def _region(points: Floats, margin: int, width: int, height: int) -> tuple[int, int, int, int] | None:
    """Whole-pixel bounds of points with a margin, clipped to the picture; ``None`` if nothing is left."""
    low, high = np.floor(points.min(0)).astype(int) - margin, np.ceil(points.max(0)).astype(int) + margin
    x0, y0, x1, y1 = max(low[0], 0), max(low[1], 0), min(high[0], width), min(high[1], height)
    return (int(x0), int(y0), int(x1), int(y1)) if x1 > x0 and y1 > y0 else None


@lru_cache(maxsize=4096)
def _drawing(code: str, look: Look, height: int) -> Image:
    """A face with its plate: ink (mixed, worn, cut into the plate) over the plate's colour."""
    width = round(height * 3 / 4)
    inner = (max(6, round(width * look.scale)), max(8, round(height * look.scale)))
    # Two masters serve all sizes: drawing an SVG costs more than shrinking a picture.
    master = raster(code, next((size for size in _MASTERS if size >= inner[1]), _MASTERS[-1]), look.style, plate=False)
    solid = master[..., 3:].astype(np.float32) / 255
    paint = np.dstack([master[..., :3] * solid, solid])  # the colour of transparent pixels must not bleed into the ink
    shrunk = cv2.resize(paint, inner, interpolation=cv2.INTER_AREA)
    full = np.zeros((height, width, 4), np.float32)
    top, left = (height - inner[1]) // 2, (width - inner[0]) // 2
    full[top : top + inner[1], left : left + inner[0]] = shrunk
    alpha = full[..., 3]
    ink = np.minimum(full[..., :3] * np.asarray(look.ink, np.float32), 255 * full[..., 3:])
    plate = np.empty((height, width, 3), np.float32)
    plate[:] = look.plate
    if look.engraved > 0:
        # The lower edge of a cut catches the light, its upper edge lies in shadow.
        shift = max(1, round(height / 90))
        slope = np.roll(alpha, shift, 0) - np.roll(alpha, -shift, 0)
        plate *= (1 + 0.10 * look.engraved * slope)[..., None]
        ink *= (1 - 0.25 * look.engraved * np.maximum(0, -slope))[..., None]
    strength = (alpha * (1 - look.fade))[..., None]
    result: Image = np.clip(plate * (1 - strength) + ink * (1 - look.fade), 0, 255).astype(np.uint8)
    return result


@lru_cache(maxsize=64)
def _phone_face(colour: Colour) -> Image:
    picture = np.empty((200, 100, 3), np.uint8)
    picture[:] = colour
    cv2.rectangle(picture, (6, 10), (93, 189), tuple(min(255.0, part * 0.6 + 25) for part in colour), -1)
    for row in range(5):
        cv2.rectangle(
            picture,
            (14, 24 + row * 30),
            (60 + row * 5, 40 + row * 30),
            tuple(min(255.0, part + 45) for part in colour),
            -1,
        )
    return picture


def _block_points(block: Block) -> Floats:
    width, length, height = block.size
    points = np.vstack([corners(Body(width, length, height), 0.0), corners(Body(width, length, height), -height)])
    result: Floats = points @ rotation(block.yaw, 0.0).T + np.array([block.x, block.y, block.z + height])
    return result


def _cup_points(cup: Cup) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 25)[:-1]
    circle = np.stack([np.cos(angles), np.sin(angles)], 1)
    foot = np.column_stack([circle * cup.radius * 0.8 + (cup.x, cup.y), np.zeros(len(circle))])
    rim = np.column_stack([circle * cup.radius + (cup.x, cup.y), np.full(len(circle), cup.height)])
    return np.vstack([foot, rim])


_Sphere = tuple[float, float, float, float]


def _limbs(hand: Hand) -> list[tuple[_Sphere, _Sphere]]:
    """Pairs of spheres (x, y, z, radius in mm, world) between which a limb is the hull; the sleeve first."""
    pinch = hand.grip
    side = -1.0 if hand.mirrored else 1.0
    turn = rotation(hand.yaw, 0.0)[:2, :2]

    def place(x: float, y: float, z: float, radius: float) -> _Sphere:
        wx, wy = turn @ np.array([x * side, y])
        return float(wx + hand.x), float(wy + hand.y), max(hand.z + z, radius), radius

    wrist = place(0, -62, 22, 27)
    limbs = [(place(0, -520, 70, 52), place(0, -150, 34, 40)), (place(0, -190, 40, 31), wrist)]
    limbs.append((wrist, place(-4, 8, 14, 33)))
    limbs.append((place(-24, 20, 10, 18), place(26, 16, 10, 18)))
    for index, (x, length) in enumerate(((-27, 66), (-9, 76), (9, 72), (27, 56))):
        bend = 0.55 + 0.45 * (1 - pinch)
        knuckle = place(x, 26, 12, 12)
        middle = place(x * (1 - 0.12 * pinch), 26 + length * 0.55 * bend + 8, 14 + 8 * pinch, 9.8)
        tip = place(x * (1 - 0.45 * pinch), 26 + length * bend, -4 - 10 * pinch, 8.2 - 0.3 * index)
        limbs += [(knuckle, middle), (middle, tip)]
    limbs += [
        (place(-34, -18, 4, 16), place(-50, 22, 0, 11.5)),
        (place(-50, 22, 0, 11.5), place(-38 + 14 * pinch, 58, -8, 9.5)),
    ]
    return limbs


@lru_cache(maxsize=1)
def _unit_sphere() -> Floats:
    points = []
    for level in (-0.9, -0.5, 0.0, 0.5, 0.9):
        radius = np.sqrt(1 - level * level)
        points += [(radius * np.cos(a), radius * np.sin(a), level) for a in np.linspace(0, 2 * np.pi, 13)[:-1]]
    return np.array(points)


def _sphere_points(one: _Sphere, two: _Sphere, part: float = 1.0) -> Floats:
    unit = _unit_sphere()
    return np.vstack([unit * sphere[3] * part + np.array(sphere[:3]) for sphere in (one, two)])
