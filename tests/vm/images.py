"""Images of the appliance, as image/build makes them: the product's or one with the payload."""

import dataclasses
import pathlib

from host import REPO, WORK, run



@dataclasses.dataclass(frozen=True)
class Image:
    """A folder as image/build leaves it."""

    folder: pathlib.Path

    @property
    def kernel(self):
        return self.folder / "vmlinuz"

    @property
    def initrd(self):
        return self.folder / "initrd.img"

    @property
    def uki(self):
        return self.folder / "firstboot.efi"

    @property
    def command_line(self):
        return (self.folder / "cmdline").read_text().strip()


_images = {}


def build_image(name, program, *, uki=False, add=()):
    """The appliance image with `program` as firstboot and the tests' agent; built once a run."""
    key = (name, str(program))
    if key not in _images:
        folder = WORK / "images" / name
        command = [REPO / "image/build", "--program", program, "--out", folder]
        for extra in (REPO / "tests/vm/guest", *add):
            command += ["--add", extra]
        run(*command, *([] if uki else ["--no-uki"]))
        _images[key] = Image(folder)
    return _images[key]


def payload():
    """The static test program that stands in firstboot's place (payload/payload.c), compiled."""
    source = REPO / "tests/vm/payload/payload.c"
    program = WORK / "payload"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        WORK.mkdir(parents=True, exist_ok=True)
        run("gcc", "-Wall", "-Wextra", "-Werror", "-Os", "-static", "-s", "-o", program, source)
    return program
