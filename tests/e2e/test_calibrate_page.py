"""A set is shown to the program in the browser: two rows from photos, learned, used, undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browsing import PHONE, picture_of, serving
from drawn import photo
from playwright.sync_api import expect

from vision.capture import STEPS
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from vision.reading import Reader


def test_a_set_is_learned_and_undone(visit: Callable[..., Page], reader: Reader, tmp_path: Path) -> None:
    rows = {step.key: photo(tmp_path / f"{step.key}.jpg", list(step.tiles)) for step in STEPS[:2]}
    with serving(Config(data_dir=tmp_path / "data"), reader=reader) as server:
        page = visit(f"{server.url}calibrate", size=PHONE)
        expect(page.locator("#steps button")).to_have_count(len(STEPS))
        expect(page.locator("#asked .tile")).to_have_count(9)
        page.set_input_files("#photo", rows["dots"])
        expect(page.locator("#said")).to_have_class("cal-said tone-ask")
        expect(page.locator("#overlay rect.is-doubtful")).not_to_have_count(0)
        picture_of(page, "calibrate-doubt")
        page.click("#retake")
        for key in ("characters", "dots"):
            page.set_input_files("#photo", rows[key])
            expect(page.locator("#overlay rect")).to_have_count(9)
            expect(page.locator("#overlay rect.is-doubtful")).to_have_count(0)
            page.click("#take")
            expect(page.locator("#tools-check")).to_be_hidden()
        expect(page.locator("#steps .is-taken")).to_have_count(2)
        page.fill("#name", "外婆的牌")
        page.click("#learn button[type=submit]")
        card = page.locator('[data-name="外婆的牌"]')
        expect(card.locator("details")).to_have_attribute("open", "", timeout=240_000)
        expect(card.locator(".cal-mark")).to_be_visible()
        assert reader.classifier.profile is not None
        picture_of(page, "calibrate-learned", full=True)
        card.locator(".button-quiet").click()
        expect(card).to_have_count(0)
        assert reader.classifier.profile is None
