"""The page as an app: manifest, icons, and the sentence that is shown while the program does not run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from webui.config import LOCALES
from webui.views.install import ICONS

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize("locale", LOCALES)
def test_the_manifest_speaks_the_readers_language(client: FlaskClient, locale: str) -> None:
    answer = client.get(f"/manifest.webmanifest?lang={locale}")
    assert answer.mimetype == "application/manifest+json"
    data = json.loads(answer.data)
    assert data["lang"].replace("-", "_") == locale
    assert ("游金" in data["short_name"]) is (locale != "en")
    assert data["display"] == "standalone"
    page = client.get("/", headers={"Accept-Language": data["lang"]})
    assert f'href="/manifest.webmanifest?lang={locale}"' in page.text
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]


def test_the_icons_are_there_in_the_sizes_they_name(client: FlaskClient) -> None:
    icons = json.loads(client.get("/manifest.webmanifest").data)["icons"]
    assert {"any", "maskable"} <= {icon.get("purpose", "any") for icon in icons}
    for icon in icons:
        answer = client.get(icon["src"])
        assert answer.status_code == 200
        assert answer.mimetype == icon["type"]
        answer.close()
        if icon["type"] == "image/png":
            image = cv2.imdecode(np.frombuffer(client.get(icon["src"]).data, np.uint8), cv2.IMREAD_UNCHANGED)
            assert f"{image.shape[1]}x{image.shape[0]}" == icon["sizes"]


def test_what_a_phone_cuts_off_a_maskable_icon_is_background(client: FlaskClient) -> None:
    assert {"icon-maskable", "icon-apple"} <= set(ICONS)
    image = cv2.imdecode(np.frombuffer(client.get("/icon-maskable.png").data, np.uint8), cv2.IMREAD_UNCHANGED)
    y, x = np.ogrid[:512, :512]
    outside = (x - 255.5) ** 2 + (y - 255.5) ** 2 > (0.4 * 512) ** 2
    assert len(np.unique(image[outside], axis=0)) == 1


def test_an_unchanged_icon_is_not_sent_again(client: FlaskClient) -> None:
    tag = client.get("/icon-192.png").headers["ETag"]
    assert client.get("/icon-192.png", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/icon-7.png").status_code == 404


def test_the_offline_page_needs_nothing_but_what_is_kept(client: FlaskClient) -> None:
    page = client.get("/offline", headers={"Accept-Language": "zh-TW"}).text
    assert "youjin serve" in page
    with client.get("/sw.js") as script:
        assert script.mimetype == "text/javascript"
        kept = script.text
    for path in ("/static/css/base.css", "/static/js/offline.js", "/static/icons/icon.svg"):
        assert path in page
        assert path in kept
    assert "page-data" not in page
