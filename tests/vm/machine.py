"""A virtual machine: its power, its consoles, and commands inside it by the tests' agent."""

import base64
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from console import Console, Monitor, connect
from host import WORK, Budget, VmError, end

OVMF = pathlib.Path("/usr/share/OVMF")

# What a character is on the keyboard of the machine (a US layout): key, with shift.
_KEYS = {" ": "spc", "-": "minus", "=": "equal", "/": "slash", ".": "dot", ",": "comma",
         ";": "semicolon", "'": "apostrophe", "\n": "ret", "\b": "backspace", "\t": "tab", "\x1b": "esc"}
_SHIFTED = {":": "semicolon", "_": "minus", "?": "slash", "+": "equal", "!": "1", "@": "2",
            "#": "3", "$": "4", "%": "5", "&": "7", "*": "8", "(": "9", ")": "0"}


class Machine:
    """A virtual machine. It boots `image` directly (kernel, initrd) or, with uefi, whatever is on
    its disks through OVMF. append goes after the image's kernel command line."""

    def __init__(self, name, image=None, *, uefi=False, disks=(), nics=(), append="",
                 memory_mib=1024, agent=True, budget=True):
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
            self._process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL,
                                             stdout=output, stderr=subprocess.STDOUT)
        try:
            self.console = Console(self._folder / "serial", self.log, self.started)
            self.monitor = Monitor(self._folder / "qmp")
            self._agent_socket = connect(self._folder / "agent") if self._agent else None
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
        code = OVMF / "OVMF_CODE_4M.fd"
        return ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={code}",
                "-drive", f"if=pflash,format=raw,unit=1,file={variables}"]

    @property
    def cpu_seconds(self):
        """What the machine has cost so far: unlike time, it hardly depends on who else works."""
        stat = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
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
            raise VmError(
                f"in {self.name}: no answer in {seconds} s: {command}{self._tail()}") from None
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
