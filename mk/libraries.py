"""What is inside the product: the libraries of third_party/, with the versions that were built in."""

import os
import subprocess


def _output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _from_recipes(prefix):
    for line in _output("third_party/build", "--list").splitlines():
        name, version, licence, home, purl = line.split("\t")
        with open(f"{prefix}/share/licences/{name}/revision", encoding="utf-8") as file:
            revision = file.read().strip()
        base, _, query = purl.partition("?")
        yield {"name": name, "version": revision, "licence": licence, "home": home,
               "purl": f"{base.rsplit('@', 1)[0]}@{_quoted(revision)}?arch=source&{query}"}


def _from_packages():
    with open("third_party/packages", encoding="utf-8") as file:
        rows = [line.split("#")[0].split() for line in file]
    for package, _, licence, name in (row for row in rows if len(row) == 4):
        version, source, source_version = _output(
            "dpkg-query", "-W", "-f", "${Version} ${source:Package} ${source:Version}\n",
            package).splitlines()[0].split()
        yield {"name": name, "version": version, "licence": licence.replace("_", " "),
               "home": f"https://packages.debian.org/{package}",
               "purl": f"pkg:deb/debian/{source}@{_quoted(source_version)}?arch=source"
                       f"&distro=bookworm"}


def _quoted(version):
    return version.replace("+", "%2B").replace(":", "%3A")


def libraries(prefix):
    """All libraries, sorted by name; `prefix` is the joined prefix of third_party/build."""
    found = list(_from_recipes(prefix)) + list(_from_packages())
    return sorted(found, key=lambda library: library["name"].lower())


def git_commit():
    """The full hash, -dirty where tracked files changed; unknown outside a repository."""
    # No optional locks: a build must not get in the way of somebody's commit.
    git = ("git", "-c", "safe.directory=*", "--no-optional-locks")
    head = subprocess.run((*git, "rev-parse", "HEAD"), capture_output=True, text=True, check=False)
    if head.returncode != 0 or not os.path.exists(".git"):
        return "unknown"
    dirty = subprocess.run((*git, "status", "--porcelain", "--untracked-files=no"),
                           capture_output=True, text=True, check=False).stdout.strip()
    return head.stdout.strip() + ("-dirty" if dirty else "")


def product_version():
    with open("VERSION", encoding="utf-8") as file:
        return file.read().strip()
