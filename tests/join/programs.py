"""Debian's own programs of the substrate, unpacked and not installed, for a folder on PATH. Kept in
${STRATUM_CACHE:-~/.cache/stratum}/substrate."""

import hashlib
import os
import pathlib
import re
import subprocess
import tempfile

# By component: the package that dpkg knows it by, and the program as it lies there.
PROGRAMS = {
    "ovs": ("openvswitch-switch", "usr/lib/openvswitch-switch/ovs-vswitchd"),
    "ovn-controller": ("ovn-host", "usr/bin/ovn-controller"),
    "chrony": ("chrony", "usr/sbin/chronyd"),
    "lvm2": ("lvm2", "sbin/lvm"),
    "mdadm": ("mdadm", "sbin/mdadm"),
    "libvirt": ("libvirt-daemon", "usr/sbin/libvirtd"),
    "ceph": ("ceph-common", "usr/bin/ceph"),
}
LIBRARIES = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu/ceph")


def run(*argv, **more):
    done = subprocess.run(argv, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{argv} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fetch(folder):
    """The packages, with what they need and this machine lacks, as apt finds them."""
    packages = sorted({package for package, _ in PROGRAMS.values()})
    (folder / "partial").mkdir()
    argv = ["apt-get", "-q", "-y", "--download-only", "--no-install-recommends", "--reinstall"]
    argv += ["-o", f"Dir::Cache::archives={folder}", "-o", "APT::Sandbox::User=root"]
    argv += ["-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3", "install", *packages]
    try:
        run(*argv, timeout=300)
    except AssertionError:  # lists that are old, or not there
        run("apt-get", "-q", "update", timeout=300)
        run(*argv, timeout=300)


def unpacked():
    """A folder with root/ (what the packages hold) and the packages themselves."""
    cache = pathlib.Path(os.environ.get("STRATUM_CACHE") or pathlib.Path.home() / ".cache/stratum")
    names = "".join(sorted(f"{package} {path}\n" for package, path in PROGRAMS.values()))
    made = cache / f"substrate/{hashlib.sha256(names.encode()).hexdigest()[:16]}"
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent) as work:
        folder = pathlib.Path(work) / "made"
        folder.mkdir()
        fetch(folder)
        for package in folder.glob("*.deb"):
            run("dpkg-deb", "-x", package, folder / "root")
        folder.rename(made)
    return made


def as_dpkg_knows(component):
    """The whole version of a component's package, as the package itself says it."""
    package, _ = PROGRAMS[component]
    (file,) = unpacked().glob(f"{package}_*.deb")
    return run("dpkg-deb", "-f", str(file), "Version").strip()


def upstream(version):
    """Without epoch, revision and what Debian left out of the sources."""
    return re.sub(r"\+(dfsg|ds).*", "", version.split(":")[-1].rpartition("-")[0])


def put_on_path(folder):
    """Each of them as a program of its usual name in `folder`, with its own libraries."""
    root = unpacked() / "root"
    libraries = ":".join(str(root / one) for one in LIBRARIES)
    modules = root / "usr/lib/python3/dist-packages"
    for _, path in PROGRAMS.values():
        file = folder / pathlib.Path(path).name
        # (Some say the name that they were started by.)
        start = f'exec -a {file.name} {root / path} "$@"'
        file.write_text(f"#!/bin/bash\nLD_LIBRARY_PATH={libraries} PYTHONPATH={modules} {start}\n")
        file.chmod(0o755)
