"""What stands on a drawn table: values only, no drawing."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.synthesis.geometry import Body, Camera
from vision.synthesis.optics import Optics

Colour = tuple[float, float, float]  # blue, green, red, 0–255


@dataclass(frozen=True)
class Look:
    """One tile set: art style, body and colours.

    Attributes:
        style: as for ``tiles.raster``.
        body: the solid.
        plate: colour of the face and the front layer.
        back: colour of the back layer.
        engraved: how deep the ink looks cut, 0–1.
        fade: how much of the ink has worn off, 0–1.
        ink: factors on the ink's blue, green and red, for another mix of paint.
        scale: size of the drawing on the face, 1 as drawn.
    """

    style: str = "classic"
    body: Body = field(default_factory=Body)
    plate: Colour = (226.0, 240.0, 246.0)
    back: Colour = (70.0, 125.0, 30.0)
    engraved: float = 0.5
    fade: float = 0.0
    ink: Colour = (1.0, 1.0, 1.0)
    scale: float = 1.0


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the table.

    Attributes:
        code: MPSZ code, or ``"back"`` for a tile that shows its back where another would show its face.
        x, y: centre of its body on the table, mm.
        z: height of its lowest point, mm.
        yaw: turn about the vertical, degrees, counter-clockwise seen from above.
        pitch: 0 lies face up, 90 stands with its face towards −y (towards the player), between them leans.
        roll: turn about the axis of the face, degrees (180: upside down).
    """

    code: str
    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True)
class Light:
    """The main lamp.

    Attributes:
        azimuth: where it comes from, degrees counter-clockwise from +x.
        elevation: height over the table, degrees.
        ambient: part of the light that comes from everywhere, 0–1.
        softness: blur of the cast shadows, mm.
        shadow: how dark shadows are, 0–1.
    """

    azimuth: float = 120.0
    elevation: float = 60.0
    ambient: float = 0.62
    softness: float = 9.0
    shadow: float = 0.45

    def direction(self) -> npt.NDArray[np.float64]:
        """Unit vector towards the lamp."""
        azimuth, elevation = np.radians([self.azimuth, self.elevation])
        return np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])


@dataclass(frozen=True)
class TableTop:
    """The table: surface, colour, half its sides in mm, its rim (``None``: no rim) and the colour of what lies beyond."""

    texture: str = "felt"
    colour: Colour = (78.0, 110.0, 24.0)
    half: tuple[float, float] = (450.0, 450.0)
    rim: Colour | None = (40.0, 72.0, 110.0)
    beyond: Colour = (60.0, 70.0, 80.0)


@dataclass(frozen=True)
class Block:
    """A box on the table: rack, bar, phone; ``screen`` draws a phone's on top, ``printed`` any picture."""

    x: float
    y: float
    size: tuple[float, float, float]  # along x, along y, height, mm
    colour: Colour
    z: float = 0.0
    yaw: float = 0.0
    screen: bool = False
    nearer: float = 0.0  # mm by which it is drawn as if nearer to the camera
    printed: npt.NDArray[np.uint8] | None = field(default=None, compare=False)  # (h, w, 3) BGR on its upper side


@dataclass(frozen=True)
class Flat:
    """Something thin that lies on the table or is printed on it: a coin, a chip, a card, a mark.

    Attributes:
        x, y: middle, mm.
        size: along x and along y before it is turned, mm.
        image: (h, w, 4) BGR and alpha.
        yaw: turn about the vertical, degrees.
        z: height over the table, mm; 0 for print.
    """

    x: float
    y: float
    size: tuple[float, float]
    image: npt.NDArray[np.uint8] = field(compare=False)
    yaw: float = 0.0
    z: float = 0.0


@dataclass(frozen=True)
class Dice:
    """Dice of one make close together, under a clear dome if ``dome`` (its radius in mm) is not 0."""

    x: float
    y: float
    spots: tuple[tuple[float, float], ...]  # of each die from the middle, mm
    edge: float = 13.0
    seed: int = 0
    dome: float = 0.0


@dataclass(frozen=True)
class Cup:
    """A round cup or bowl with tea in it."""

    x: float
    y: float
    radius: float = 32.0
    height: float = 60.0
    colour: Colour = (225.0, 228.0, 230.0)
    tea: Colour = (30.0, 70.0, 120.0)


@dataclass(frozen=True)
class Hand:
    """A player's hand and forearm above the table; ``yaw`` 0 points to +y; ``grip`` 0 flat … 1 pinching."""

    x: float
    y: float
    z: float = 30.0
    yaw: float = 0.0
    skin: Colour = (130.0, 165.0, 215.0)
    sleeve: Colour = (90.0, 60.0, 50.0)
    grip: float = 0.5
    mirrored: bool = False


Prop = Block | Cup | Hand | Flat | Dice


@dataclass(frozen=True)
class Scene:
    """A table to draw: size of the picture in pixels, camera, tiles of one set, props, table, light and faults of the camera."""

    width: int = 1280
    height: int = 720
    camera: Camera = field(default_factory=Camera)
    tiles: tuple[PlacedTile, ...] = ()
    look: Look = field(default_factory=Look)
    props: tuple[Prop, ...] = ()
    table: TableTop = field(default_factory=TableTop)
    light: Light = field(default_factory=Light)
    optics: Optics = field(default_factory=Optics)
