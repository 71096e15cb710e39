"""`youjin serve`: the page."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import system_language
from engine.text import LANGUAGES, Text
from webui.config import RULE_SETS

if TYPE_CHECKING:
    from webui.lan import Lan

_STOPS = Text("（按 Ctrl+C 结束）", "（按 Ctrl+C 結束）", "(Ctrl+C stops)")
_OPEN_TO_ALL = Text(
    "网络里的任何人都能打开并更改本页；用 --lan 则需要配对。",
    "網路裡的任何人都能開啟並更改本頁；用 --lan 則需要配對。",
    "Everybody in the network may open and change this page; --lan asks for pairing.",
)
_NO_NETWORK = Text("这台电脑没有连上网络。", "這台電腦沒有連上網路。", "This computer is in no network.")
_PHONE = Text("手机做镜头：{link}", "手機做鏡頭：{link}", "Phone as the camera: {link}")


@click.command()
@click.option(
    "--source",
    default=None,
    help="What to look at: demo, a camera's number or name, phone, a URL, a picture, a video or a folder of pictures. "
    "Unless given: phone with --lan, else what was looked at last, at first camera 0.",
)
@click.option(
    "--rules", type=click.Choice(RULE_SETS), help="The game played. Unless given: the one played last, at first xiamen."
)
@click.option(
    "--house",
    type=click.Path(path_type=Path),
    help="A TOML file with the house rules of your club.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; the default is this machine only."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes any free one."
)
@click.option(
    "--lan", is_flag=True, help="Let phones of the local network in: encrypted, and only those that scanned the code."
)
@click.option(
    "--lan-port", type=click.IntRange(0, 65535), default=8443, show_default=True, help="Port for the phones; 0: any."
)
@click.option("--forget-phones", is_flag=True, help="Make phones that were paired before scan a new code.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=system_language,
    show_default="of the terminal",
    help="Language of messages in the terminal; the page has its own switch.",
)
@click.option("--models", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of the models.")
@click.option("--detector", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Another detector file.")
@click.option("--open/--no-open", "open_browser", default=False, help="Open the page in the browser.")
def serve(
    source: str | None,
    rules: str | None,
    house: Path | None,
    host: str,
    port: int,
    lan: bool,
    lan_port: int,
    forget_phones: bool,
    language: str,
    models: Path | None,
    detector: Path | None,
    open_browser: bool,
) -> None:
    """Show the page: the live table, the hand, what it may do, and the settlement."""
    from engine.errors import InputError  # noqa: PLC0415
    from vision.terminal import keep_clean  # noqa: PLC0415
    from webui.config import Config  # noqa: PLC0415
    from webui.house import read_file  # noqa: PLC0415
    from webui.security import from_this_machine  # noqa: PLC0415
    from webui.server import ServeError, Server  # noqa: PLC0415

    keep_clean()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    overrides = {}
    if house is not None:
        try:
            overrides = read_file(house, rules or RULE_SETS[0])
        except InputError as error:
            where = f"{error.field}: " if error.field else ""
            raise _Stop(f"{house}: {where}{error.text.in_language(language)}") from error
    # What nobody names now goes on as it was when the program ended.
    resume = {"hand"}
    if source is None and not lan:
        resume.add("source")
    if rules is None and house is None:
        resume.add("rules")
    config = Config(
        source=source if source is not None else "phone" if lan else "0",
        rules=rules or RULE_SETS[0],
        house=overrides,
        host=host,
        lan=lan,
        lan_port=lan_port,
        place=str(port) if port else "",
        forget_phones=forget_phones,
        resume=frozenset(resume),
        models_dir=models,
        detector=detector,
    )
    try:
        server = Server(config, port)
    except ServeError as error:
        raise _Stop(error.text.in_language(language)) from error
    click.echo(f"youjin: {server.url}  {_STOPS.in_language(language)}")
    if server.lan is not None:
        _show_code(server.lan, language)
    elif not from_this_machine(server.address):
        click.echo(_OPEN_TO_ALL.in_language(language), err=True)
    try:
        server.run(open_browser=open_browser)
    except KeyboardInterrupt:
        click.echo()


def _show_code(lan: Lan, language: str) -> None:
    """Print the code that phones scan, and the address for those who type."""
    from webui.lan import qr_terminal  # noqa: PLC0415

    links = lan.links()
    if not links:
        click.echo(_NO_NETWORK.in_language(language), err=True)
        return
    drawn = qr_terminal(links[0])
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if drawn.encode(encoding, "replace").decode(encoding, "replace") == drawn:
        click.echo(drawn)
    click.echo(_PHONE.format(link=links[0]).in_language(language))


class _Stop(click.ClickException):
    """A sentence on standard error and exit status 2."""

    exit_code = 2


commands: list[click.Command] = [serve]
