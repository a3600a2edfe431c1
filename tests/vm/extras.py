"""What machines of the discovery test have beside the product's image: programs of a few Debian
packages (guest-packages) and kernel modules that the product does not need. Kept by what they are
made of in ${STRATUM_CACHE:-~/.cache/stratum}/guest."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from host import REPO, run

LIST = REPO / "tests/vm/guest-packages"
# Loaded by their paths, in this order; what they depend on comes first.
MODULES = ("btrfs",)
# Of the packages only this: their rules for udev and units would change every other machine.
WANTED = ("bin/*", "sbin/*", "lib/*.so*", "lib/multipath/*", "lib/x86_64-linux-gnu/*.so*",
          "usr/lib/x86_64-linux-gnu/*.so*", "lib/udev/kpartx_id", "lib/udev/rules.d/*mpath.rules")


def guest_extras(release):
    """A folder for image/build --add; `release` is the kernel's, as in an image's kernel-release."""
    cache = pathlib.Path(os.environ.get("STRATUM_CACHE", pathlib.Path.home() / ".cache/stratum"))
    recipe = LIST.read_bytes() + release.encode() + pathlib.Path(__file__).read_bytes()
    folder = cache / "guest" / hashlib.sha256(recipe).hexdigest()[:16]
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        work = pathlib.Path(work)
        made = work / "made"
        _add_programs(work, made)
        _add_modules(work, made, release)
        made.rename(folder)
    return folder


def _fetch(packages, folder):
    folder.mkdir()
    run("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", *packages, cwd=folder)
    for package in folder.glob("*.deb"):
        run("dpkg-deb", "-x", package, folder / "x")
    return folder / "x"


def _add_programs(work, made):
    lines = (line.partition("#")[0].split() for line in LIST.read_text().splitlines())
    root = _fetch([words[0] for words in lines if words], work / "programs")
    for pattern in WANTED:
        for file in root.glob(pattern):
            # The image's /bin, /sbin and /lib are links into usr.
            place = file.relative_to(root)
            target = made / (place if place.parts[0] == "usr" else "usr" / place)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target, follow_symlinks=False)


def _add_modules(work, made, release):
    root = _fetch([f"linux-image-{release}"], work / "kernel")
    run("depmod", "-b", root, release)
    files = []
    for module in MODULES:
        said = run("modprobe", "-d", root, "-S", release, "--show-depends", module)
        files += [line.split()[1] for line in said.splitlines() if line.startswith("insmod")]
    target = made / "usr/lib/stratum-test/modules"
    target.mkdir(parents=True)
    for number, file in enumerate(dict.fromkeys(files)):
        shutil.copy2(file, target / f"{number:02}-{pathlib.Path(file).name}")
