"""Networks of machines: bridges, taps and DHCP in a network namespace."""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile

from host import end, run



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
    """A network namespace with bridges, gone with everything in it when closed. Names must be
    unlike those of another run at the same time, so they carry this process's id."""

    _count = 0

    def __init__(self, *bridges):
        Network._count += 1
        self.namespace = f"stratum-{os.getpid()}-{Network._count}"
        self._bridges = bridges
        self._taps = 0
        self._processes = []
        self._folders = []

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
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

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
        mac = f"52:54:00:5a:{os.getpid() & 0xff:02x}:{self._taps:02x}"
        return Nic(tap, mac, self.namespace, model)

    def serve_dhcp(self, bridge, first, last, *options):
        """dnsmasq on the bridge, leasing first to last; the bridge has its address already."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-dhcp-"))
        self._folders.append(folder)
        return self.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-hosts", "--no-resolv",
            "--port=0", f"--interface={bridge}", "--bind-interfaces", "--no-ping", "--user=root",
            f"--dhcp-range={first},{last},1h", f"--dhcp-leasefile={folder}/leases", "--pid-file=",
            "--log-facility=-", "--log-dhcp", *options, log=folder / "log")
