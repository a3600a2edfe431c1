"""What build/read_images and the product say of images and devices."""

import json
import os
import pathlib
import subprocess

REPO = pathlib.Path(__file__).resolve().parents[2]
READER = os.environ.get("STRATUM_READ_IMAGES", str(REPO / "build/read_images"))
FIRSTBOOT = os.environ.get("STRATUM_FIRSTBOOT", str(REPO / "build/firstboot"))


def read_all(files):
    """A record for each file, in their order: verdict (blank, data, unknown), content, disk."""
    done = subprocess.run([READER, *map(str, files)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def read(file):
    return read_all([file])[0]


def discover(root=None):
    argv = [FIRSTBOOT, "discover", "--json"] + (["--root", str(root)] if root else [])
    return json.loads(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)


def types(record):
    """Types of all that the disk is said to hold."""
    return sorted(hold["type"] for hold in record["disk"].get("holds", []))
