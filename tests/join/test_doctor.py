"""firstboot doctor: real programs as dpkg knows them, and programs that do anything but answer."""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest

import programs
import world

EXAMPLE = world.REPO / "docs/examples/pins.yaml"

# What each does, and what is said of it: its version, or words of its note. HERE is their folder;
# "$HERE/nap" sleeps, and can be found in /proc.
HOSTILE = {
    "good": ("echo it 1.2", "1.2"),
    "good-late": ("sleep 0.3; echo it 1.2", "1.2"),
    "good-on-stderr": ("echo it 1.2 >&2", "1.2"),
    "no-newline": ("printf 'it 1.2'", "1.2"),
    "prints-100-mb": ("echo it 1.2; head -c 100000000 /dev/zero", "1.2"),
    "leaves-one-behind": ("$HERE/nap 3600 & echo it 1.2", "1.2"),
    "leaves-a-session-behind": (
        "(setsid $HERE/nap 3600 &); (setsid -f $HERE/nap 3600); echo it 1.2",
        "1.2",
    ),
    "leaves-many-behind": (
        "i=0; while [ $i -lt 50 ]; do $HERE/nap 3600 & i=$((i+1)); done; echo it 1.2",
        "1.2",
    ),
    "hangs": ("exec $HERE/nap 3600", "did not answer within 2 s"),
    "ignores-sigterm": (
        "trap '' TERM INT HUP; $HERE/nap 3600; $HERE/nap 3600; $HERE/nap 3600",
        "did not answer within 2 s",
    ),
    "forks-and-hangs": ("$HERE/nap 3600 & $HERE/nap 3600 & wait", "did not answer within 2 s"),
    "double-fork-holds-the-pipe": (
        "(trap '' TERM; (setsid sh -c 'trap \"\" TERM; $HERE/nap 3600; :' &) &) ; exec $HERE/nap 3600",
        "within 2 s",  # (setsid says that it may not)
    ),
    "closes-and-hangs": ("exec >&- 2>&-; exec $HERE/nap 3600", "did not answer within 2 s"),
    "stops-itself": ("kill -STOP $$; echo it 1.2", "did not answer within 2 s"),
    "answers-and-hangs": ("echo it 1.2; exec $HERE/nap 3600", "did not end within 2 s"),
    "trickles": (
        "while :; do printf 'it 1.2 '; $HERE/nap 0.2; done",
        "did not end within 2 s",
    ),
    "floods-for-ever": ("exec yes it 1.2", "did not end within 2 s"),
    "crashes": ("echo it 1.2; kill -SEGV $$", 'was ended by signal 11, it said "it 1.2"'),
    "aborts-silently": ("kill -ABRT $$", "was ended by signal 6, it said nothing"),
    "exits-1": ("echo it 1.2; exit 1", 'ended with exit code 1, it said "it 1.2"'),
    "another-program": ("echo that 3.4", 'answered "that 3.4", no line of it reads "it {version}"'),
    "speaks-of-it": ("echo this is not it 1.2", "no line of it reads"),
    "no-version": ("echo it is installed", "no line of it reads"),
    "version-too-long": (f"echo it 1{'0' * 128}", "no line of it reads"),
    "binary": ("head -c 100000 /bin/ls", "no line of it reads"),
    "writes-to-terminals": (r"printf '\033[2J\007\n'; exit 1", "exit code 1"),
    "says-nothing": ("exit 0", "answered nothing, no line of it reads"),
    "asks-for-input": ("read line; echo it $line", "no line of it reads"),
}
ABSENT = "is not installed"


def left_over(folder):
    """Processes of ours that still run, by their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # it has just ended
            continue
        if str(folder) in line and "firstboot" not in line and state != "Z":
            found.append(line)
    return found


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stratum-doctor-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()

    def doctor(self, *words, path=None):
        return subprocess.run(
            [world.FIRSTBOOT, "doctor", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={"PATH": path or os.environ["PATH"]},
        )

    def report(self, *words, path=None):
        done = self.doctor("--json", *words, path=path)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        code = {"ok": 0, "warn": 1, "unsupported": 2}[report["overallStatus"]]
        self.assertEqual(done.returncode, code)
        return {one["id"]: one for one in report["components"] + report["constraints"]}, report

    def patient(self, wanted, look):
        """The rows of a look. Those of `wanted` that a loaded machine did not answer in time are
        looked at again: look(ids) gives a report's rows, those of all the first time."""
        rows = look(wanted)
        for _ in range(5):
            late = [one for one in wanted if "within 2 s" in rows[one].get("note", "")]
            if not late:
                break
            again = look(late)
            rows.update({one: again[one] for one in late})
        return rows

    def site(self, components=(), constraints=(), only=False):
        """A site's file; `only`: without what the build has."""
        if only:
            rows, report = self.report()
            constraints = [{"id": one["id"], "drop": True} for one in report["constraints"]] + list(
                constraints
            )
            components = [{"id": one["id"], "drop": True} for one in report["components"]] + list(
                components
            )
        file = self.folder / "pins.yaml"
        file.write_text(
            json.dumps(
                {"version": 1, "components": list(components), "constraints": list(constraints)}
            )
        )
        return file

    # ---- real programs

    def test_debians_programs_are_detected_as_dpkg_knows_them(self):
        programs.put_on_path(self.bin)
        path = f"{self.bin}:{os.environ['PATH']}"
        known_to_dpkg = [*programs.PROGRAMS, "systemd", "qemu"]
        rows = self.patient(known_to_dpkg, lambda _: self.report(path=path)[0])
        for component in programs.PROGRAMS:
            known = programs.as_dpkg_knows(component)
            self.assertEqual(rows[component]["detected"], programs.upstream(known), component)
        self.assertEqual(rows["kernel"]["detected"], os.uname().release)
        for component, package in (("systemd", "systemd"), ("qemu", "qemu-system-x86")):
            with self.subTest(component):
                known = programs.run("dpkg-query", "-W", "-f", "${Version}", package)
                self.assertTrue(known, f"{package} is needed here (apt-packages)")
                detected = rows[component]["detected"]
                if component == "systemd":  # it says its package's whole version
                    self.assertEqual(detected, known)
                else:  # (Debian's 7.2+dfsg-7+deb12u18 is upstream's 7.2.22)
                    self.assertTrue(f"{detected}.".startswith(f"{programs.upstream(known)}."))

    def test_debians_ovn_is_judged_by_what_this_build_ships(self):
        programs.put_on_path(self.bin)
        path = f"{self.bin}:{os.environ['PATH']}"
        rows = self.patient(["ovn-controller", "ovs"], lambda _: self.report(path=path)[0])
        ours = rows["ovn-central"]["detected"]
        theirs = rows["ovn-controller"]["detected"]
        self.assertNotEqual(ours.split(".")[:2], theirs.split(".")[:2])
        match = rows["ovn-central-controller-match"]
        self.assertEqual(match["status"], "unsupported")
        self.assertIn(f"ovn-central is {ours}, ovn-controller is {theirs}", match["note"])
        done = self.doctor(path=path)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stdout.splitlines()[0],
            "overall: unsupported; mend first: ovn-central-controller-match on this node",
        )
        # With the central of Debian's release they fit, and nothing but that line was changed.
        pins = [{"id": "ovn-central", "class": "shipped", "pinned": f"ovn-central:{theirs}"}]
        rows, _ = self.report("--pins", self.site(pins), path=path)
        self.assertEqual(rows["ovn-central-controller-match"]["status"], "ok")
        self.assertNotIn("note", rows["ovn-central-controller-match"])

    # ---- programs that do anything else

    def test_whatever_a_program_does_is_its_stated_outcome_and_nothing_stays_behind(self):
        (self.bin / "nap").symlink_to("/bin/sleep")
        (self.bin / "no-program").write_text("it 1.2\n")
        (self.bin / "a-folder").mkdir()
        (self.bin / "no-such-shell").write_text(f"#!{self.bin}/none\n")
        (self.bin / "no-such-shell").chmod(0o755)
        expected = {name: words for name, (_, words) in HOSTILE.items()}
        for name, (script, _) in HOSTILE.items():
            (self.bin / name).write_text(f"#!/bin/sh\nHERE={self.bin}; export HERE\n{script}\n")
            (self.bin / name).chmod(0o755)
        expected |= {
            "no-such-shell": "see that it can be run",
            "no-program": "see that it can be run",
            "a-folder": "see that it can be run",
        }
        rows = [self.component(name, self.bin / name) for name in expected]
        rows.append(self.component("absent", "no-such-program-of-ours"))
        good = [name for name, words in expected.items() if words[0].isdigit()]

        def look(names):
            some = [row for row in rows if row["id"] in names] if names is not good else rows
            found, report = self.report("--pins", self.site(some, only=True))
            self.assertEqual(len(report["components"]), len(some))
            return found

        found = self.patient(good, look)
        for name, words in (expected | {"absent": ABSENT}).items():
            row = found[name]
            with self.subTest(name):
                if words[0].isdigit():
                    self.assertEqual((row["detected"], row["status"]), (words, "ok"), row)
                    self.assertNotIn("note", row)
                    continue
                self.assertEqual((row["detected"], row["status"]), (None, "warn"), row)
                self.assertIn(words, row["note"])
                self.assertRegex(row["note"], r", needed is >=1; \w")  # and what to do
                self.assertNotRegex(row["note"], r"[\x00-\x1f\x7f-\x9f]")
        # What was killed may need a moment to end.
        world.wait_until("end of all of them", 20, lambda: not left_over(self.folder))
        shown = self.doctor("--pins", self.site(rows, only=True))
        self.assertEqual(shown.returncode, 1)
        self.assertNotRegex(shown.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertRegex(shown.stdout, r"\nabsent +>=1 +not installed\n")
        self.assertRegex(shown.stdout, r"\nhangs +>=1 +not known\n")
        world.wait_until("end of all of them", 20, lambda: not left_over(self.folder))

    def component(self, name, program):
        probe = {"argv": [str(program), "--version"], "output": "it {version}"}
        return {"id": name, "class": "host", "probe": probe, "range": ">=1"}

    def test_the_environment_of_a_probe_is_clean(self):
        program = self.bin / "it"
        program.write_text(
            '#!/bin/sh\n[ "$LC_ALL" = C ] && [ -z "$STRATUM_TOKEN$LD_PRELOAD$HOME" ] && echo it 1.2\n'
        )
        program.chmod(0o755)
        pins = self.site([self.component("it", program)], only=True)
        done = subprocess.run(
            [world.FIRSTBOOT, "doctor", "--json", "--pins", pins],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "LC_ALL": "de_DE.UTF-8",
                "STRATUM_TOKEN": "x",
                "HOME": "/",
            },
        )
        self.assertEqual(json.loads(done.stdout)["components"][0]["detected"], "1.2", done)

    # ---- a site's own pins

    def test_the_guides_example_adds_replaces_and_drops(self):
        rows, _ = self.report("--pins", EXAMPLE)
        before, _ = self.report()
        self.assertEqual(set(rows) - set(before), {"frr", "frr-for-this-ovn"})
        self.assertEqual(set(before) - set(rows), {"ceph"})
        self.assertEqual(rows["postgres"]["detected"], "17.6")
        self.assertEqual((rows["frr"]["detected"], rows["frr"]["status"]), (None, "ok"))
        self.assertEqual(rows["frr"]["supported"], {"range": ">=8.4 <11", "testedAgainst": "8.4.4"})
        path = f"{self.bin}:{os.environ['PATH']}"

        def says(name, text):
            (self.bin / name).write_text(f"#!/bin/sh\necho {text}\n")
            (self.bin / name).chmod(0o755)

        # The rule does not concern a machine without frr, and is kept or broken by one with it.
        says("ovn-controller", "ovn-controller 25.03.1")
        for version, status in ((None, "ok"), ("8.4.4", "warn"), ("10.1", "ok")):
            if version:
                says("zebra", f"zebra version {version}")
            rows, _ = self.report("--pins", EXAMPLE, path=path)
            self.assertEqual(rows["frr-for-this-ovn"]["status"], status, rows["frr-for-this-ovn"])
        says("zebra", "zebra version 12.0")
        rows, _ = self.report("--pins", EXAMPLE, path=path)
        self.assertEqual(rows["frr"]["status"], "unsupported")
        self.assertEqual(rows["frr"]["note"], "it is 12.0, needed is >=8.4 <11; install frr")
        self.assertIn(
            "docs/examples/pins.yaml", (world.REPO / "docs/operators-guide.md").read_text()
        )

    def test_a_file_that_is_wrong_is_told_whole_with_lines_and_says_nothing_of_versions(self):
        file = self.folder / "wrong.yaml"
        file.write_text(
            EXAMPLE.read_text()
            .replace("class: host", "class: hast")
            .replace("frr >= 8.5 or", "frr => 8.5 or")
            .replace("{id: ceph,", "{id: cehp,")
        )
        lines = file.read_text().splitlines()
        done = self.doctor("--pins", file, "--json")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        for field, text, shift in (
            ("components[0].class", "hast", 0),
            ("components[2].id", "{id: cehp", 0),
            ("constraints[0].rule", "=> 8.5", 0),
        ):
            line = next(number for number, one in enumerate(lines, 1) if text in one)
            column = lines[line - 1].index(text) + 1 + shift
            self.assertIn(f"{file}:{line}:{column}: {field}: ", done.stderr)
        self.assertEqual(self.doctor("--pins", self.folder / "none.yaml").returncode, 3)

    def test_hostile_files_are_refused_and_quickly(self):
        head = b"version: 1\ncomponents:\n"
        for name, text in {
            "nothing": b"",
            "nul": b"\0" * 100,
            "not utf-8": b"version: 1\ncomponents: [\xff\xfe]\n",
            "too large": b"version: 1\n#" + b"x" * 300_000,
            "too deep": b"version: 1\ncomponents: " + b"[" * 10_000,
            "aliases": b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nversion: 1\n",
            "a bomb of stars": head
            + b"  - {id: a, class: host, range: '>=1', probe: {argv: [a], output: '"
            + b"*" * 90
            + b" {version}'}}\n",
            "deep rule": b"version: 1\nconstraints: [{id: a, rule: '" + b"(" * 900 + b"'}]\n",
            "many rows": head + b"  - {id: a, drop: true}\n" * 3000,
            "empty rule": b"version: 1\nconstraints: [{id: a, rule: ''}]\n",
            "escapes": b'version: 1\ncomponents: [{id: "\\e[2J\\x9b", drop: true}]\n',
        }.items():
            with self.subTest(name):
                file = self.folder / "hostile.yaml"
                file.write_bytes(text)
                done = self.doctor("--pins", file)
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr[:500])
                self.assertTrue(done.stderr)
                self.assertNotRegex(done.stderr, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    # ---- how it is shown

    def on_a_terminal(self, columns, **more):
        """What it writes to a terminal of that width."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen(
            [world.FIRSTBOOT, "doctor"],
            stdout=theirs,
            stderr=theirs,
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "TERM": "xterm", **more},
        )
        os.close(theirs)
        said = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            said += piece
        os.close(ours)
        self.assertIn(process.wait(timeout=60), (0, 1, 2))
        return said.decode().replace("\r\n", "\n")

    def test_colours_stand_on_a_terminal_alone_and_no_line_is_too_wide(self):
        plain = self.doctor().stdout
        self.assertNotIn("\x1b", plain)
        self.assertRegex(
            plain.splitlines()[0], "^overall: (ok|warn; mend first|unsupported; mend first)"
        )
        for columns in (80, 120):
            coloured = self.on_a_terminal(columns)
            self.assertIn("\x1b[3", coloured)
            bare = re.sub(r"\x1b\[\d+m", "", coloured)
            self.assertNotIn("\x1b", bare)
            self.assertLessEqual(max(map(len, bare.splitlines())), columns)
            if columns == 80:
                self.assertEqual(bare, plain)
        self.assertEqual(self.on_a_terminal(80, NO_COLOR="1"), plain)


if __name__ == "__main__":
    unittest.main()
