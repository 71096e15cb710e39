"""`youjin serve`: the page."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from webui.config import RULE_SETS


@click.command()
@click.option(
    "--source",
    default="0",
    show_default=True,
    help="What to look at: demo, a camera number, a URL, a picture, a video or a folder of pictures.",
)
@click.option("--rules", type=click.Choice(RULE_SETS), default="xiamen", show_default=True, help="The game played.")
@click.option(
    "--house",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file with the house rules of your club.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; the default is this machine only."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes any free one."
)
@click.option("--models", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of the models.")
@click.option("--detector", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Another detector file.")
@click.option("--open/--no-open", "open_browser", default=False, help="Open the page in the browser.")
def serve(
    source: str,
    rules: str,
    house: Path | None,
    host: str,
    port: int,
    models: Path | None,
    detector: Path | None,
    open_browser: bool,
) -> None:
    """Show the page: the live table, the hand, what it may do, and the settlement."""
    from engine.errors import InputError  # noqa: PLC0415
    from webui.config import Config  # noqa: PLC0415
    from webui.house import read_file  # noqa: PLC0415
    from webui.server import ServeError, Server  # noqa: PLC0415

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    overrides = {}
    if house is not None:
        try:
            overrides = read_file(house, rules)
        except InputError as error:
            raise _Stop(f"{house}: {error.field}: {error.text.en} / {error.text.zh}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise _Stop(f"{house}: this file cannot be read as text ({error}). / 这个文件读不出来。") from error
    config = Config(source=source, rules=rules, house=overrides, host=host, models_dir=models, detector=detector)
    try:
        server = Server(config, port)
    except ServeError as error:
        raise _Stop(f"{error.text.en}\n{error.text.zh}") from error
    click.echo(f"youjin: {server.url}  (Ctrl+C stops / 按 Ctrl+C 结束)")
    try:
        server.run(open_browser=open_browser)
    except KeyboardInterrupt:
        click.echo()


class _Stop(click.ClickException):
    """A sentence on standard error and exit status 2."""

    exit_code = 2


commands: list[click.Command] = [serve]
