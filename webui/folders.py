"""Where the program keeps what belongs to its user: the folder is the eyes' too, so it is chosen there."""

from vision.folders import data_dir, write_private

__all__ = ["data_dir", "write_private"]
