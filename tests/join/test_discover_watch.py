"""`firstboot discover --watch` as a process: into a pipe, on a terminal, on a real network device."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import machine
import world

SECONDS = 60  # nothing here takes that long; a machine under load may


class Reader:
    """What comes out of a descriptor, as it comes, without a wait that has no end."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.data = b""
        os.set_blocking(descriptor, False)

    def look(self):
        with contextlib.suppress(BlockingIOError, OSError):
            while piece := os.read(self.descriptor, 65536):
                self.data += piece
        return self.data

    def documents(self):
        """Every whole line is a document of its own."""
        return [json.loads(line) for line in self.look().split(b"\n")[:-1]]

    def wait_document(self, fits, what):
        def look():
            found = [one for one in self.documents() if fits(one)]
            return found[-1] if found else None

        return world.wait_until(what, SECONDS, look)


def nics_of(document):
    return [nic["name"] for nic in document["nics"]]


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-watch-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.processes = []
        self.addCleanup(self.end_all)

    def end_all(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait(10)
            if process.stdout:
                process.stdout.close()

    def start(self, *words, before=(), stdout=subprocess.PIPE, **environment):
        process = subprocess.Popen(
            [*before, world.FIRSTBOOT, "discover", "--watch", *words],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE if stdout == subprocess.PIPE else stdout,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "linux", **environment},
        )
        if process.stderr:
            self.addCleanup(process.stderr.close)
        self.processes.append(process)
        return process

    def captured(self):
        return machine.write(self.folder / "machine", 1)

    @staticmethod
    def plug(folder, name):
        """One more NIC in a captured machine, known to the route socket alone."""
        path = folder / "ip-addr.json"
        links = json.loads(path.read_text())
        links.append({**links[0], "ifindex": 9, "ifname": name, "addr_info": []})
        fresh = folder / "ip-addr.json.new"
        fresh.write_text(json.dumps(links))
        fresh.rename(path)

    def assert_ends(self, process, code=0):
        self.assertEqual(process.wait(SECONDS), code)

    def test_each_change_is_one_document_on_a_line_and_no_change_is_none(self):
        folder = self.captured()
        process = self.start("--json", "--root", folder)
        reader = Reader(process.stdout.fileno())
        reader.wait_document(lambda one: True, "first document")
        (folder / "nothing-new").write_text("touched\n")
        self.plug(folder, "enp9s0")
        reader.wait_document(lambda one: "enp9s0" in nics_of(one), "document with the new NIC")
        self.assertEqual(len(reader.documents()), 2)
        process.send_signal(signal.SIGTERM)
        self.assert_ends(process)
        self.assertEqual(process.stderr.read(), b"")

    def test_a_table_into_a_pipe_is_followed_by_the_next_without_escapes(self):
        folder = self.captured()
        process = self.start("--root", folder)
        reader = Reader(process.stdout.fileno())
        world.wait_until("first table", SECONDS, lambda: b"2 network devices" in reader.look())
        self.plug(folder, "enp9s0")
        world.wait_until("second table", SECONDS, lambda: b"3 network devices" in reader.look())
        world.wait_until("what changed", SECONDS, lambda: b"enp9s0 has come\n" in reader.look())
        self.assertEqual(reader.data.count(b"changed: "), 1)
        self.assertNotIn(b"\x1b", reader.data)
        process.send_signal(signal.SIGINT)
        self.assert_ends(process)

    def test_on_a_terminal_the_table_is_cleared_and_fits_its_size(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        process = self.start("--root", self.captured(), stdout=slave)
        reader = Reader(master)

        def drawn(width):
            """The last drawing, once it has come to its end at that width."""
            text = reader.look().decode().split("\x1b[H\x1b[2J")[-1]
            heads = [line for line in text.split("\r\n") if "enp2s0" in line]
            return heads and len(heads[0].replace("\x1b[1m", "").split("\x1b")[0].rstrip()) < width

        world.wait_until("first drawing", SECONDS, lambda: drawn(100))
        self.assertEqual(reader.data.count(b"\x1b[H\x1b[2J"), 1)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 60, 0, 0))
        world.wait_until(
            "second drawing", SECONDS, lambda: reader.look().count(b"\x1b[H\x1b[2J") == 2
        )
        os.close(slave)
        process.send_signal(signal.SIGTERM)
        self.assert_ends(process)

    def test_a_reader_who_left_ends_it_though_nothing_changes(self):
        process = self.start("--json", "--root", self.captured())
        reader = Reader(process.stdout.fileno())
        reader.wait_document(lambda one: True, "first document")
        process.stdout.close()
        self.assert_ends(process)

    def test_a_reader_who_takes_nothing_cannot_keep_it_from_ending(self):
        folder = machine.write(
            self.folder / "large", 1, nics=[{"name": f"enp{i}s0"} for i in range(200)]
        )
        process = self.start("--json", "--root", folder)
        time.sleep(0.5)  # until the pipe is full, or not yet: both must end
        process.send_signal(signal.SIGTERM)
        self.assert_ends(process)

    def test_a_network_device_that_comes_and_goes_is_seen_on_the_real_machine(self):
        own_user = [] if os.geteuid() == 0 else ["--user"]
        mapped = ["--map-root-user"] if own_user else []
        process = self.start("--json", before=["unshare", "--net", *own_user, *mapped, "--"])
        reader = Reader(process.stdout.fileno())
        reader.wait_document(lambda one: True, "first document")

        def inside(*words):
            subprocess.run(
                ["nsenter", "--target", str(process.pid), "--net", *own_user]
                + ["--preserve-credentials", "ip", "link", *words],
                check=True,
                timeout=SECONDS,
            )

        inside("add", "wt0", "type", "veth", "peer", "name", "wt1")
        reader.wait_document(lambda one: "wt0" in nics_of(one), "document with the new device")
        inside("set", "wt0", "up")
        inside("set", "wt1", "up")
        reader.wait_document(
            lambda one: any(n["name"] == "wt0" and n["state"] == "up" for n in one["nics"]),
            "document with a carrier",
        )
        inside("del", "wt0")
        world.wait_until(
            "document without the device",
            SECONDS,
            lambda: "wt0" not in nics_of(reader.documents()[-1]),
        )
        process.send_signal(signal.SIGTERM)
        self.assert_ends(process)


if __name__ == "__main__":
    unittest.main()
