"""Virtual machines for tests: QEMU started by its pid, its serial console read with time stamps, its
keyboard typed on, its screen looked at, its power cut; disks that are what they say they are; and a
network of bridges and taps in a namespace of their own.

    with Network("br-mgmt") as network, Machine("name", image, nics=[network.nic("br-mgmt")]) as vm:
        vm.wait_for(r"pairing code", seconds=60)

Times are seconds, sizes bytes. Whatever this starts it ends itself, by pid; what went wrong raises
VmError with the end of the console in it. The console of each machine is kept in build/vm/NAME.log.
Only the standard library is used; one thread a machine reads its console.
"""

import base64
import codecs
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

REPO = pathlib.Path(__file__).resolve().parents[2]
WORK = REPO / "build" / "vm"
OVMF = pathlib.Path("/usr/share/OVMF")
MIB = 1 << 20

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78cDEHM])")


class VmError(AssertionError):
    """What was waited for did not come, or a command in the machine failed."""


class Budget:
    """How many machines were started; the runner limits it (see README.md)."""

    started = 0
    started_by_uefi = 0
    limit = 8
    limit_by_uefi = 2

    @classmethod
    def take(cls, uefi):
        cls.started += 1
        cls.started_by_uefi += uefi
        if cls.started > cls.limit or cls.started_by_uefi > cls.limit_by_uefi:
            raise VmError(
                f"this would be VM start {cls.started} of {cls.limit}, by UEFI {cls.started_by_uefi} "
                f"of {cls.limit_by_uefi}: do more checks in one boot, or run with --long")


def run(*command, **options):
    """Runs a command of this host to its end; its output is the answer, a failure raises VmError."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL, **options)
    if result.returncode:
        raise VmError(f"{' '.join(map(str, command))}: exit {result.returncode}\n{result.stdout[-2000:]}")
    return result.stdout


# --- images ---------------------------------------------------------------------------------------


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


# --- disks ----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Disk:
    """A disk of a machine, in a raw file of its own. kind: nvme, scsi or virtio. A SCSI disk takes a
    WWN (64 bit); the names that the machine then sees are in by_id."""

    path: pathlib.Path
    kind: str
    serial: str
    wwn: int = 0
    vendor: str = "SEAGATE"
    product: str = "ST4000NM017A"

    @property
    def by_id(self):
        names = {"nvme": f"nvme-QEMU_NVMe_Ctrl_{self.serial}", "virtio": f"virtio-{self.serial}",
                 "scsi": f"wwn-0x{self.wwn:016x}" if self.wwn else
                         f"scsi-S{self.vendor}_{self.product}_{self.serial}"}
        return f"/dev/disk/by-id/{names[self.kind]}"

    def arguments(self, number):
        # cache=writeback: a power cut loses the machine, not the host's pages. Locks are off because
        # nothing else opens the file.
        drive = f"file={self.path},if=none,id=d{number},format=raw,cache=writeback,discard=unmap"
        if self.kind == "nvme":
            device = f"nvme,drive=d{number},serial={self.serial}"
        elif self.kind == "virtio":
            device = f"virtio-blk-pci,drive=d{number},serial={self.serial}"
        else:
            device = (f"scsi-hd,bus=scsi.0,drive=d{number},vendor={self.vendor},product={self.product},"
                      f"ver=E003,serial={self.serial},rotation_rate=7200"
                      + (f",wwn=0x{self.wwn:016x}" if self.wwn else ""))
        return ["-drive", drive, "-device", device]


def blank_disk(path, kind, serial, *, size=256 * MIB, **more):
    """A new disk of zeroes (a sparse file), over whatever was at path."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(path, "xb") as file:
        file.truncate(size)
    return Disk(path, kind, serial, **more)


def esp_disk(path, files, *, size=128 * MIB):
    """A GPT disk with one EFI system partition; files is {path on it: file here}. No mount, no loop."""
    disk = blank_disk(path, "virtio", "ESP", size=size)
    sectors = size // 512 - 4096
    subprocess.run(["sfdisk", "-q", disk.path], check=True, text=True,
                   input=f"label: gpt\nstart=2048,size={sectors},name=ESP,"
                         "type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B\n")
    volume = f"{disk.path}@@1M"
    run("mformat", "-i", volume, "-T", sectors, "-F", "-v", "ESP", "::")
    made = set()
    for target, source in files.items():
        for folder in reversed(pathlib.PurePosixPath(target).parents):
            if str(folder) not in (".", "/") and folder not in made:
                run("mmd", "-i", volume, f"::/{folder}")
                made.add(folder)
        run("mcopy", "-i", volume, source, f"::/{target}")
    return disk


def state_disk(path, *, size=256 * MIB):
    """A disk with the state partition, as stage 1 leaves it: GPT, one ext4 named stratum-state."""
    disk = blank_disk(path, "virtio", "STATE0001", size=size)
    subprocess.run(["sfdisk", "-q", disk.path], check=True, text=True,
                   input="label: gpt\nstart=2048,name=stratum-state\n")
    run("mkfs.ext4", "-q", "-E", f"offset={MIB}", disk.path, f"{size // MIB - 2}m")
    return disk


def content_digest(path):
    """Stands for every byte of a disk image: SHA-256 over its length and each block that is not all
    zeroes with its place. (Reading the holes of a sparse image for their zeroes takes far longer.)"""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        digest.update(str(end).encode())
        position = _next_data(file, 0, end)
        while position < end:
            file.seek(position)
            block = file.read(MIB)
            if block.strip(b"\0"):
                digest.update(b"@%d:" % position + block)
            position = _next_data(file, position + len(block), end)
    return digest.hexdigest()


def _next_data(file, position, end):
    """The start of the block (of 1 MiB) that has the next written byte at or after position."""
    try:
        return max(position, os.lseek(file.fileno(), position, os.SEEK_DATA) // MIB * MIB)
    except OSError:
        return end


# --- networks -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Nic:
    tap: str
    mac: str
    namespace: str
    model: str = "virtio-net-pci"

    def arguments(self, number):
        return ["-netdev", f"tap,id=n{number},ifname={self.tap},script=no,downscript=no",
                "-device", f"{self.model},netdev=n{number},mac={self.mac}"]


class Network:
    """A network namespace with bridges, gone with everything in it when closed. Names must be unlike
    those of another run at the same time, so they carry this process's id."""

    _count = 0

    def __init__(self, *bridges):
        Network._count += 1
        self.namespace = f"stratum-{os.getpid()}-{Network._count}"
        self._bridges = bridges
        self._taps = 0
        self._processes = []

    def __enter__(self):
        run("ip", "netns", "add", self.namespace)
        try:
            self.run("ip", "link", "set", "lo", "up")
            for bridge in self._bridges:
                # Without its own forward delay a bridge swallows the first seconds of DHCP.
                self.run("ip", "link", "add", bridge, "type", "bridge", "forward_delay", "0")
                self.run("ip", "link", "set", bridge, "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            end(process)
        subprocess.run(["ip", "netns", "del", self.namespace], check=False)

    def run(self, *command, **options):
        return run("ip", "netns", "exec", self.namespace, *command, **options)

    def start(self, *command, log=None):
        """A process in the namespace, ended with it. Its output goes to log."""
        return self.start_outside("ip", "netns", "exec", self.namespace, *command, log=log)

    def start_outside(self, *command, log=None):
        """A process in this host's own network, ended with the namespace."""
        with open(log or os.devnull, "ab") as output:
            process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT)
        self._processes.append(process)
        return process

    def address(self, bridge, cidr):
        self.run("ip", "address", "add", cidr, "dev", bridge)

    def nic(self, bridge, *, model="virtio-net-pci"):
        """A NIC for one machine, on the bridge."""
        self._taps += 1
        tap = f"tap{self._taps}"
        self.run("ip", "tuntap", "add", tap, "mode", "tap")
        self.run("ip", "link", "set", tap, "master", bridge, "up")
        return Nic(tap, f"52:54:00:5a:{os.getpid() & 0xff:02x}:{self._taps:02x}", self.namespace, model)

    def serve_dhcp(self, bridge, first, last, *options):
        """dnsmasq on the bridge, leasing first to last; the bridge has its address already."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-dhcp-"))
        process = self.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-hosts", "--no-resolv",
            "--port=0", f"--interface={bridge}", "--bind-interfaces", "--no-ping", "--user=root",
            f"--dhcp-range={first},{last},1h", f"--dhcp-leasefile={folder}/leases", "--pid-file=",
            "--log-facility=-", "--log-dhcp", *options, log=folder / "log")
        self.dhcp_folder = folder
        return process


def end(process, seconds=10):
    """Asks a process of ours to end, and makes it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# --- machines -------------------------------------------------------------------------------------


class Console:
    """What a machine says on its serial line, as it comes: lines with the seconds since QEMU started,
    and the whole text without escape sequences, in which one waits for something."""

    def __init__(self, path, log, started):
        self._socket = _connect(path)
        self._log = open(log, "w", buffering=1)
        self._started = started
        self._changed = threading.Condition()
        self._text = ""
        self._arrivals = []  # (offset in _text, seconds): what came when
        self._line = ""  # what has come of a line that is not whole yet
        self._raw = b""
        self._closed = False
        self.listener = None  # is given every piece of bytes as it comes
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        pending = ""
        data = b"-"
        while data:
            try:
                data = self._socket.recv(65536)
            except OSError:
                data = b""
            seconds = time.monotonic() - self._started
            if self.listener and data:
                self.listener(data)
            pending += decode(data)
            whole = _length_without_open_escape(pending) if data else len(pending)
            piece = _ESCAPES.sub("", pending[:whole]).replace("\r", "")
            pending = pending[whole:]
            self._add(data, piece, seconds)

    def _add(self, data, piece, seconds):
        with self._changed:
            self._raw += data
            if piece:
                self._arrivals.append((len(self._text), seconds))
                self._text += piece
                *lines, self._line = (self._line + piece).split("\n")
                self._log.writelines(f"{seconds:8.2f} {line}\n" for line in lines)
            self._closed = not data
            self._changed.notify_all()

    def wait_for(self, pattern, seconds, after=0):
        """(match, seconds since start) of the first place at or after offset `after`, or None."""
        deadline = time.monotonic() + seconds
        expression = re.compile(pattern, re.MULTILINE)
        with self._changed:
            while True:
                match = expression.search(self._text, after)
                if match:
                    return match, self._seconds_at(match.end())
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    return None
                self._changed.wait(left)

    def _seconds_at(self, offset):
        came = [seconds for start, seconds in self._arrivals if start < offset]
        return came[-1] if came else 0.0

    @property
    def text(self):
        with self._changed:
            return self._text

    @property
    def raw(self):
        """Every byte that came, escape sequences and all: what a terminal would be given."""
        with self._changed:
            return self._raw

    def write(self, data):
        self._socket.sendall(data)

    def close(self):
        self._socket.close()
        self._thread.join(2)
        self._log.write(self._line)
        self._log.close()


def _length_without_open_escape(text, longest=64):
    """Where an escape sequence begins that has not wholly come yet, else the text's length."""
    escape = text.rfind("\x1b")
    is_open = escape >= 0 and len(text) - escape < longest and not _ESCAPES.match(text, escape)
    return escape if is_open else len(text)


def _connect(path, seconds=20):
    deadline = time.monotonic() + seconds
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return connection
        except OSError:
            connection.close()
            if time.monotonic() > deadline:
                raise VmError(f"QEMU does not open {path}") from None
            time.sleep(0.05)


class Monitor:
    """QMP: one command, one answer."""

    def __init__(self, path):
        self._socket = _connect(path)
        self._file = self._socket.makefile("rw")
        self._file.readline()
        self.call("qmp_capabilities")

    def call(self, command, **arguments):
        self._file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._file.flush()
        while line := self._file.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise VmError(f"QEMU refused {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise VmError(f"QEMU went away at {command}")

    def close(self):
        self._socket.close()


# What a character is on the keyboard of the machine (a US layout): key, with shift.
_KEYS = {" ": "spc", "-": "minus", "=": "equal", "/": "slash", ".": "dot", ",": "comma", ";": "semicolon",
         "'": "apostrophe", "\n": "ret", "\b": "backspace", "\t": "tab", "\x1b": "esc"}
_SHIFTED = {":": "semicolon", "_": "minus", "?": "slash", "+": "equal", "!": "1", "@": "2", "#": "3",
            "$": "4", "%": "5", "&": "7", "*": "8", "(": "9", ")": "0"}


class Machine:
    """A virtual machine. It boots `image` directly (kernel, initrd) or, with uefi, whatever is on its
    disks through OVMF. append goes after the image's kernel command line."""

    def __init__(self, name, image=None, *, uefi=False, disks=(), nics=(), append="", memory_mib=1024,
                 agent=True, budget=True):
        self.name = name
        self._image = image
        self._uefi = uefi
        self._disks = list(disks)
        self._nics = list(nics)
        self._append = append
        self._memory_mib = memory_mib
        self._agent = agent
        self._budget = budget
        self._process = None
        self._position = 0
        self._starts = 0

    # -- power

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        if self._budget:
            Budget.take(self._uefi)
        WORK.mkdir(parents=True, exist_ok=True)
        self._starts += 1
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-vm-"))
        again = f"-{self._starts}" if self._starts > 1 else ""
        self.log = WORK / f"{self.name}{again}.log"
        self._position = 0
        self.started = time.monotonic()
        with open(WORK / f"{self.name}{again}.qemu", "wb") as output:
            self._process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL, stdout=output,
                                             stderr=subprocess.STDOUT)
        try:
            self.console = Console(self._folder / "serial", self.log, self.started)
            self.monitor = Monitor(self._folder / "qmp")
            self._agent_socket = _connect(self._folder / "agent") if self._agent else None
        except BaseException:
            end(self._process)
            raise

    def _command(self):
        folder = self._folder
        command = ["qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-m", str(self._memory_mib),
                   "-smp", "2", "-display", "none", "-vga", "std", "-no-user-config", "-nodefaults",
                   "-action", "reboot=shutdown", "-action", "panic=none",
                   "-serial", f"unix:{folder}/serial,server=on,wait=off",
                   "-qmp", f"unix:{folder}/qmp,server=on,wait=off", "-device", "virtio-rng-pci"]
        # A /dev/kvm that is there may still not run a guest (nested, without unrestricted mode), so
        # it is used only where somebody says that it does.
        command += ["-accel", "kvm" if os.environ.get("STRATUM_VM_KVM") else "tcg,thread=multi"]
        if self._agent:
            command += ["-device", "virtio-serial-pci",
                        "-chardev", f"socket,id=agent,path={folder}/agent,server=on,wait=off",
                        "-device", "virtserialport,chardev=agent,name=stratum.test"]
        command += self._firmware()
        if any(disk.kind == "scsi" for disk in self._disks):
            command += ["-device", "virtio-scsi-pci,id=scsi"]
        for number, disk in enumerate(self._disks):
            command += disk.arguments(number)
        for number, nic in enumerate(self._nics):
            command += nic.arguments(number)
        if not self._nics:
            return command
        return ["ip", "netns", "exec", self._nics[0].namespace, *command]

    def _firmware(self):
        if not self._uefi:
            return ["-kernel", str(self._image.kernel), "-initrd", str(self._image.initrd),
                    "-append", f"{self._image.command_line} {self._append}".strip()]
        variables = self._folder / "vars.fd"
        shutil.copy(OVMF / "OVMF_VARS_4M.fd", variables)
        return ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={OVMF / 'OVMF_CODE_4M.fd'}",
                "-drive", f"if=pflash,format=raw,unit=1,file={variables}"]

    @property
    def cpu_seconds(self):
        """What the machine has cost so far: unlike the time, it does not depend on who else works."""
        fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def power_cut(self):
        """Power gone at this instant. start() is what follows."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._close()

    def stop(self):
        """Ends the machine, whatever it is doing."""
        if self._process and self._process.poll() is None:
            end(self._process)
        self._close()

    def wait_off(self, seconds):
        """Waits until the machine has switched itself off or restarted (which ends QEMU too)."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise VmError(f"{self.name} is still on after {seconds} s{self._tail()}") from None

    def _close(self):
        if not self._process:
            return
        self._process = None
        self.console.close()
        self.monitor.close()
        if self._agent_socket:
            self._agent_socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- consoles

    def wait_for(self, pattern, seconds):
        """Waits for the pattern on the serial console, after what was waited for before. The match;
        its time is then in .seconds (since QEMU started)."""
        found = self.console.wait_for(pattern, seconds, self._position)
        if not found:
            state = "ended" if self._process.poll() is not None else "did not say it"
            raise VmError(f"{self.name} {state} within {seconds} s: /{pattern}/{self._tail()}")
        match, self.seconds = found
        self._position = match.end()
        return match

    def type(self, text):
        """Types on the serial console."""
        self.console.write(text.replace("\n", "\r").encode())

    def press(self, text, *, pause=0.05):
        """Types on the keyboard, that is, on tty1."""
        for character in text:
            keys = []
            if character in _SHIFTED or character.isupper():
                keys.append("shift")
            keys.append(_SHIFTED.get(character) or _KEYS.get(character) or character.lower())
            self.monitor.call("send-key", keys=[{"type": "qcode", "data": key} for key in keys])
            time.sleep(pause)

    def screenshot(self, name):
        """What is on the screen, as build/vm/NAME.png; the share of its pixels that is lit."""
        png, ppm = WORK / f"{name}.png", self._folder / "screen.ppm"
        self.monitor.call("screendump", filename=str(png), format="png")
        self.monitor.call("screendump", filename=str(ppm))
        return _lit_share(ppm.read_bytes())

    def screen_text(self):
        """The text of tty1, by the agent: one string a row."""
        columns = int(self.run("stty -F /dev/tty1 size").split()[1])
        text = self.run("cat /dev/vcs1").encode("latin-1", "replace").decode("latin-1")
        return [text[i:i + columns].rstrip() for i in range(0, len(text), columns)]

    # -- inside

    def run(self, command, seconds=60):
        """Runs a shell command in the machine by the tests' agent; its output, or VmError."""
        code, output = self.try_run(command, seconds)
        if code:
            raise VmError(f"in {self.name}: {command}: exit {code}\n{output}")
        return output

    def try_run(self, command, seconds=60):
        self._agent_socket.settimeout(seconds)
        self._agent_socket.sendall(base64.b64encode(command.encode()) + b"\n")
        answer = b""
        try:
            while not answer.endswith(b"\n"):
                data = self._agent_socket.recv(65536)
                if not data:
                    raise VmError(f"{self.name} went away at: {command}{self._tail()}")
                answer += data
        except TimeoutError:
            raise VmError(f"in {self.name}: no answer in {seconds} s: {command}{self._tail()}") from None
        code, _, output = answer.decode().strip().partition(" ")
        return int(code), base64.b64decode(output).decode("utf-8", "replace")

    def wait_until(self, command, seconds, every=0.5):
        """Repeats a command in the machine until it succeeds; its output."""
        deadline = time.monotonic() + seconds
        while True:
            code, output = self.try_run(command)
            if code == 0:
                return output
            if time.monotonic() > deadline:
                raise VmError(f"in {self.name}: not within {seconds} s: {command}\n{output}")
            time.sleep(every)

    def _tail(self):
        lines = self.console.text.splitlines()[-25:]
        return "\n  the console's end:\n    " + "\n    ".join(lines or ["(nothing)"])


def _lit_share(ppm):
    """The share of pixels of a binary PPM (P6) that are not black."""
    fields = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
    if not fields:
        raise VmError("the screen is no PPM picture")
    pixels = ppm[fields.end():]
    count = int(fields[1]) * int(fields[2])
    dark = sum(1 for i in range(0, len(pixels) - 2, 3) if not any(pixels[i:i + 3]))
    return 1 - dark / count
