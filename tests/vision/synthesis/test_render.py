from dataclasses import replace

import numpy as np
import pytest

from vision.synthesis.geometry import Body, Camera, corners, project, rings, rotation
from vision.synthesis.optics import Optics, expose
from vision.synthesis.render import Canvas, render
from vision.synthesis.scene import Block, Cup, Dice, Flat, Hand, Light, Look, PlacedTile, Scene, TableTop
from vision.synthesis.textures import TEXTURES

PLAIN = TableTop("plain", (90.0, 90.0, 90.0), (500.0, 500.0), None, (90.0, 90.0, 90.0))
ABOVE = Camera((0.0, -0.001, 400.0), (0.0, 0.0, 0.0), 1.0)
NO_SHADOW = Light(shadow=0.0)
RACK = Block(0.0, 110.0, (150.0, 30.0, 12.0), (120.0, 90.0, 60.0))


def scene(*tiles, **options):
    defaults = {"width": 400, "height": 300, "camera": ABOVE, "table": PLAIN, "light": NO_SHADOW}
    return Scene(tiles=tiles, **{**defaults, **options})


def draw(value, seed=5):
    return render(value, np.random.default_rng(seed))


def test_the_camera_puts_its_target_in_the_middle_and_keeps_the_scale():
    matrix = ABOVE.matrix(400, 300)
    pixels = project(matrix, np.array([[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0]]))
    # one focal length of 400 px at 400 mm: one pixel per millimetre, y upwards in the picture
    np.testing.assert_allclose(pixels, [[200, 150], [300, 150], [200, 50]], atol=0.01)


def test_a_point_behind_the_camera_has_no_place_in_the_picture():
    assert np.isnan(project(ABOVE.matrix(400, 300), np.array([[0.0, 0.0, 500.0]]))).all()


def test_rotation_is_right_handed():
    np.testing.assert_allclose(rotation(90, 0) @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    # standing: the face looks towards the player, its top points up
    np.testing.assert_allclose(rotation(0, 90) @ [0, 0, 1], [0, -1, 0], atol=1e-12)
    np.testing.assert_allclose(rotation(0, 90) @ [0, 1, 0], [0, 0, 1], atol=1e-12)


def test_rings_stay_inside_the_outer_box():
    body = Body()
    for ring in rings(body):
        assert np.abs(ring[:, 0]).max() <= body.width / 2 + 1e-9
        assert np.abs(ring[:, 1]).max() <= body.height / 2 + 1e-9


def test_same_seed_same_picture_other_seed_other_picture():
    value = scene(PlacedTile("3s", 0, 0, yaw=20), optics=Optics(noise=4, lamp=0.3, glare=0.5, motion=3, jpeg=80))
    one, two, other = draw(value), draw(value), draw(value, seed=6)
    assert np.array_equal(one.image, two.image)
    assert [box.xyxy for box in one.boxes] == [box.xyxy for box in two.boxes]
    assert not np.array_equal(one.image, other.image)


def test_box_of_a_tile_seen_from_above_has_the_size_geometry_says():
    body = Body()
    box = draw(scene(PlacedTile("9p", 0, 0))).boxes[0]
    # the widest ring lies one bevel below the face
    scale = 400 / (400 - body.depth + body.bevel)
    left, top, right, bottom = box.xyxy
    assert right - left == pytest.approx(body.width * scale, rel=0.02)
    assert bottom - top == pytest.approx(body.height * scale, rel=0.02)
    assert (left + right) / 2 == pytest.approx(200, abs=0.1)
    assert box.visible == pytest.approx(1.0, abs=0.01)
    assert box.polygon.shape == (4, 2)


@pytest.mark.parametrize("yaw", [0, 17, 45, 90, 200])
@pytest.mark.parametrize("place", [(0, 0), (120, -80), (-150, 90)])
def test_box_is_where_the_face_changes_the_picture(yaw, place):
    # Under a camera right above, only face and bevel show the plate's colour: recolouring it changes the box and nothing else.
    camera = Camera((*place, 400.0 - 1e-9), (place[0], place[1] + 0.001, 0.0), 1.0)
    tile = PlacedTile("5z", *place, yaw=yaw)
    looks = [Look(style="ivory", plate=plate) for plate in ((40.0, 40.0, 240.0), (240.0, 240.0, 40.0))]
    one, two = (draw(scene(tile, camera=camera, look=look)) for look in looks)
    changed = np.abs(one.image.astype(int) - two.image).max(axis=2) > 100
    rows, columns = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
    np.testing.assert_allclose(one.boxes[0].xyxy, [columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], atol=0.8)


def test_polygon_starts_at_the_tiles_own_top_left():
    upright = draw(scene(PlacedTile("1m", 0, 0))).boxes[0].polygon
    assert upright[0][0] < upright[1][0]
    assert upright[0][1] < upright[3][1]
    upside_down = draw(scene(PlacedTile("1m", 0, 0, yaw=180))).boxes[0].polygon
    np.testing.assert_allclose(upside_down, upright[[2, 3, 0, 1]], atol=0.2)
    rolled = draw(scene(PlacedTile("1m", 0, 0, roll=180))).boxes[0].polygon
    np.testing.assert_allclose(rolled, upside_down, atol=0.2)


def test_the_drawing_is_not_mirrored():
    picture = draw(scene(PlacedTile("3p", 0, 0), width=800, height=600)).image
    x0, y0, x1, y1 = (
        round(value) for value in draw(scene(PlacedTile("3p", 0, 0), width=800, height=600)).boxes[0].xyxy
    )
    face = picture[y0:y1, x0:x1].astype(int)
    ink = face.max(axis=2) - face.min(axis=2) > 40
    rows, columns = np.nonzero(ink)
    # the diagonal of the three of dots falls from the upper left to the lower right
    assert np.corrcoef(rows, columns)[0, 1] > 0.5


def test_covered_tiles_say_how_much_is_seen_and_hidden_ones_get_no_box():
    body = Body()
    lower, upper = PlacedTile("1p", 0, 0), PlacedTile("2p", 0, 0, z=body.depth)
    assert [box.code for box in draw(scene(lower, upper)).boxes] == ["2p"]
    aside = replace(upper, x=body.width / 2)
    boxes = {box.code: box for box in draw(scene(lower, aside)).boxes}
    assert 0.3 < boxes["1p"].visible < 0.6
    assert boxes["1p"].xyxy[2] - boxes["1p"].xyxy[0] < 0.7 * (boxes["2p"].xyxy[2] - boxes["2p"].xyxy[0])


def test_a_tile_at_the_border_is_clipped_and_one_outside_has_no_box():
    boxes = draw(scene(PlacedTile("1p", -189, 0), PlacedTile("2p", 600, 0))).boxes
    assert [box.code for box in boxes] == ["1p"]
    assert boxes[0].xyxy[0] == 0.0
    assert boxes[0].visible == pytest.approx(0.5, abs=0.12)
    assert boxes[0].polygon[:, 0].min() < 0


def test_backs_and_faces_turned_away_are_called_back():
    behind = Camera((0.0, 400.0, 120.0), (0.0, 0.0, 10.0), 1.0)
    standing = PlacedTile("6s", 0, 0, pitch=90)
    assert [box.code for box in draw(scene(standing, camera=behind)).boxes] == ["back"]
    front = Camera((0.0, -400.0, 120.0), (0.0, 0.0, 10.0), 1.0)
    assert [box.code for box in draw(scene(standing, camera=front)).boxes] == ["6s"]
    lying = draw(scene(PlacedTile("back", 0, 0)))
    assert [box.code for box in lying.boxes] == ["back"]
    _, green, red = lying.image[150, 200]
    assert green > red  # the back's colour, not the plate's


def test_a_hand_over_a_tile_hides_it():
    tile = PlacedTile("6s", 0, 0)
    covered = draw(scene(tile, props=(Hand(0, -10, z=40),)))
    assert covered.boxes == [] or covered.boxes[0].visible < 0.5


def test_props_leave_tiles_that_they_do_not_touch_alone():
    tile = PlacedTile("6s", 0, 0)
    props = (
        Dice(150, 0, ((0.0, 0.0), (20.0, 4.0)), 16.0, 5),
        Dice(-120, -80, ((0.0, 0.0),), 14.0, 6, dome=30.0),
        Flat(120, -90, (40.0, 40.0), np.full((32, 32, 4), 255, np.uint8), z=2.0),
        replace(RACK, printed=np.full((8, 64, 3), (0, 0, 255), np.uint8)),
        Cup(-150, 60),
        Block(150, 90, (60, 90, 9), (20.0, 20.0, 20.0), screen=True),
    )
    alone, busy = draw(scene(tile)), draw(scene(tile, props=props))
    assert alone.boxes[0].xyxy == busy.boxes[0].xyxy
    assert busy.boxes[0].visible == pytest.approx(1.0, abs=0.01)
    assert not np.array_equal(alone.image, busy.image)


def test_dice_cover_what_lies_behind_them_and_a_flat_thing_is_covered_by_tiles():
    tile = PlacedTile("6s", 0, 0)
    card = Flat(0, 0, (60.0, 80.0), np.full((8, 8, 4), 255, np.uint8))
    under = draw(scene(tile, props=(card,)))
    assert under.boxes[0].visible == pytest.approx(1.0, abs=0.01)
    assert under.image[150, 225].min() > 240
    standing, low = PlacedTile("6s", 0, 0, pitch=90), Camera((0.0, -300.0, 120.0), (0.0, 0.0, 15.0), 1.0)
    over = draw(scene(standing, camera=low, props=(Dice(0, -24, ((0.0, 0.0),), 18.0, 5),)))
    assert over.boxes[0].visible < 0.85


@pytest.mark.parametrize("y", [-299.5, -340.0])
def test_dice_at_the_lens_or_behind_it_are_left_out(y):
    low = Camera((0.0, -300.0, 20.0), (0.0, 0.0, 15.0), 1.0)  # before the change a die of 80,000 pixels was drawn
    standing = PlacedTile("6s", 0, 0, pitch=90)
    with_dice = draw(scene(standing, camera=low, props=(Dice(0, y, ((0.0, 0.0),), 18.0, 5),)))
    assert np.array_equal(with_dice.image, draw(scene(standing, camera=low)).image)


def test_a_bar_shows_its_print():
    red = replace(RACK, printed=np.full((8, 64, 3), (0, 0, 255), np.uint8))
    plain, printed = (draw(scene(props=(block,))).image.astype(int) for block in (RACK, red))
    gained = (printed - plain)[..., 2] - (printed - plain)[..., 0]
    assert (gained > 60).sum() > 1000


def test_light_casts_a_shadow_away_from_the_lamp():
    tile = PlacedTile("6s", 0, 0)
    lit = draw(scene(tile, light=Light(azimuth=180, elevation=40, shadow=0.6, softness=2))).image.astype(int)
    flat = draw(scene(tile)).image.astype(int)
    darker = (flat - lit).mean(axis=2)
    assert darker[150, 222] > 15  # right of the tile, the lamp is on its left
    assert darker[150, 170] < 6


@pytest.mark.parametrize("texture", list(TEXTURES))
def test_every_table_can_be_drawn(texture):
    picture = draw(scene(table=TableTop(texture), camera=Camera((0, -500, 300), (0, 0, 0), 0.8))).image
    assert picture.shape == (300, 400, 3)
    assert picture.std() > 1


def test_unknown_texture_and_degenerate_camera_are_refused():
    with pytest.raises(ValueError, match="no table texture"):
        draw(scene(table=TableTop("ice")))
    with pytest.raises(ValueError, match="camera"):
        draw(scene(camera=Camera((0, 0, 0), (0, 0, 0))))


def test_copy_of_a_canvas_is_independent():
    first = Canvas(scene(PlacedTile("1p", -60, 0)), np.random.default_rng(1))
    first.add(first.scene.tiles)
    before = first.picture.copy()
    second = first.copy()
    second.add((PlacedTile("2p", 60, 0),))
    assert np.array_equal(first.picture, before)
    assert [box.code for box in first.boxes()] == ["1p"]
    assert [box.code for box in second.boxes()] == ["1p", "2p"]


def test_perfect_optics_change_nothing():
    picture = np.random.default_rng(1).integers(0, 256, (40, 60, 3)).astype(np.float32)
    assert np.array_equal(expose(picture, Optics(), np.random.default_rng(2)), picture.astype(np.uint8))


@pytest.mark.parametrize(
    "optics",
    [Optics(exposure=0.5), Optics(vignette=0.5), Optics(gamma=1.4), Optics(tint=(0.8, 1.0, 0.9))],
)
def test_faults_that_take_light_darken_the_picture(optics):
    picture = np.full((60, 80, 3), 128, np.float32)
    assert expose(picture, optics, np.random.default_rng(2)).mean() < 126


def test_noise_blur_and_grey_do_what_they_say():
    picture = np.zeros((60, 80, 3), np.float32)
    picture[:, 40:] = (200, 100, 50)
    rng = np.random.default_rng
    assert expose(picture, Optics(noise=10), rng(1))[:, 60:].std(axis=(0, 1)).min() > 3
    assert 10 < expose(picture, Optics(blur=2), rng(1))[30, 40, 0] < 190
    grey = expose(picture, Optics(grey=1), rng(1))
    assert int(np.ptp(grey.astype(int), axis=2).max()) <= 1


def test_corners_of_the_outer_rectangle_are_clockwise_from_top_left():
    assert corners(Body(2, 4, 1), 0.0)[:, :2].tolist() == [[-1, 2], [1, 2], [1, -2], [-1, -2]]
