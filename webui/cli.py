"""The command `youjin`: gathers the commands that live beside what they drive."""

from __future__ import annotations

import click

import engine.cli
import vision.cli
import webui.cli_serve
from webui.doctor import doctor


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="youjin")
def main() -> None:
    """Read the mahjong tiles on a table and say what the hand may do."""


for _command in (*engine.cli.commands, *vision.cli.commands, *webui.cli_serve.commands, doctor):
    main.add_command(_command)

if __name__ == "__main__":
    main()
