"""util-linux's source package: its blkid images, unpacked once a run, and what they ought to be."""

import concurrent.futures
import functools
import lzma
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile

REPO = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(
    os.environ.get("STRATUM_CACHE") or pathlib.Path.home() / ".cache/stratum"
)
PIECE = 1 << 20
TESTS = re.compile(r"^[^/]+/(tests/(?:ts|expected)/(?:blkid|lsblk)/.*)$")


def recipe():
    """The package as the build of libblkid names it."""
    said = subprocess.run(
        ["bash", "-c", '. third_party/recipes/util-linux.sh; echo "$version $suite $orig $sha256"'],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    return said.stdout.split()


@functools.cache
def scratch():
    """A folder for this run, gone at its end."""
    folder = tempfile.TemporaryDirectory(prefix="stratum-images-")
    scratch.keep = folder
    return pathlib.Path(folder.name)


@functools.cache
def tests():
    """The package's tests/ folder."""
    version, release, orig, sha256 = recipe()
    folder = CACHE / f"src/util-linux-{version}"
    (CACHE / "tmp").mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [REPO / "third_party/fetch", "util-linux", version, release, orig, sha256, "required", folder],
        check=True,
    )
    to = scratch() / "package"
    with tarfile.open(folder / orig) as archive:
        for member in archive:
            match = TESTS.match(member.name)
            if match and member.isfile():
                target = to / match[1]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.extractfile(member).read())
    return to / "tests"


def unpack(packed):
    """One image, sparse where it holds zeros."""
    to = scratch() / "unpacked" / packed.name.removesuffix(".xz")
    to.parent.mkdir(exist_ok=True)
    zeros = bytes(PIECE)
    with lzma.open(packed) as source, open(to, "wb") as target:
        while piece := source.read(PIECE):
            if piece == zeros[: len(piece)]:
                target.seek(len(piece), os.SEEK_CUR)
            else:
                target.write(piece)
        target.truncate(target.tell())
    return to


@functools.cache
def images():
    """{name: unpacked file} of all images of filesystems, sets and partition tables."""
    packed = sorted(tests().glob("ts/blkid/images-*/*.img.xz"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {file.name.removesuffix(".img"): file for file in pool.map(unpack, packed)}


def image(name):
    return images()[name]


def is_table(name):
    return (tests() / f"ts/blkid/images-pt/{name}.img.xz").exists()


def _decoded(text):
    """udev writes odd bytes as \\x20."""
    raw = re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode())
    return raw.decode("utf-8", "replace")


def expected_filesystem(name):
    """{TYPE, USAGE, UUID, LABEL} as libblkid's own tests want them; of a medium with several
    sessions the first is meant, which is where a probe without a hint looks."""
    sessions = re.match(r"^(.*-multi)-\d+-\d+-\d+-(.*)$", name)
    file = f"low-probe-{sessions[1]}-{sessions[2]}-0" if sessions else f"low-probe-{name}"
    wanted = {}
    for line in (tests() / "expected/blkid" / file).read_text().splitlines():
        key, _, value = line.removeprefix("ID_FS_").partition("=")
        if key in ("TYPE", "USAGE"):
            wanted[key] = value
        if key in ("UUID_ENC", "LABEL_ENC"):
            wanted[key.removesuffix("_ENC")] = _decoded(value)
    return wanted


def expected_table(name):
    """(type, {number: (first sector, sectors)})."""
    text = (tests() / "expected/blkid" / f"lowprobe-pt-{name}").read_text()
    partitions = {
        int(number): (int(start), int(size))
        for number, start, size in re.findall(r"^#(\d+): +(\d+) +(\d+)", text, re.MULTILINE)
    }
    return re.search(r"PT: ([^,]+),", text)[1], partitions


def machine(name):
    """A machine of the lsblk tests, in the form of a captured machine: its folder."""
    folder = scratch() / "machines"
    with tarfile.open(tests() / f"ts/lsblk/dumps/{name}.tar.xz") as archive:
        archive.extractall(folder)
    sys_folder = folder / name / "sys"
    by_name = sys_folder / "class/block"
    by_name.mkdir(parents=True, exist_ok=True)
    for link in (sys_folder / "dev/block").iterdir():
        target = os.readlink(link)
        if not (by_name / os.path.basename(target)).is_symlink():
            (by_name / os.path.basename(target)).symlink_to(target)
    return folder / name
