"""A captured machine for the joiner, made up: two NICs, a CPU that can virtualize, no disks.

The folder is what `firstboot discover --root` reads: sys, proc, etc and what iproute2 printed.
"""

import json
import pathlib


def write(folder, number, mgmt_address="10.77.0.50/24"):
    """`number` 1 to 99 makes one machine differ from another in everything that names it."""
    folder = pathlib.Path(folder)

    def put(path, text):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    put("etc/hostname", f"node{number}\n")
    put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Example CPU\nflags\t\t: fpu vmx\n\n")
    put("proc/meminfo", "MemTotal:       16384000 kB\n")
    put("proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n")
    put("proc/self/mountinfo", "1 0 0:1 / / rw - rootfs rootfs rw\n")
    put("sys/class/dmi/id/sys_vendor", "Example Works\n")
    put("sys/class/dmi/id/product_name", "Example One\n")
    put("sys/class/dmi/id/product_serial", f"EX{number:06}\n")
    put("sys/class/dmi/id/product_uuid", f"5a1e0000-0000-4000-8000-{number:012}\n")
    (folder / "sys/class/block").mkdir(parents=True)
    links = []
    for index, name in enumerate(["enp1s0", "enp2s0"], start=2):
        mac = f"52:54:00:77:{number:02x}:{index:02x}"
        base = f"sys/class/net/{name}"
        for file, text in {
            "ifindex": index,
            "type": 1,
            "address": mac,
            "addr_assign_type": 0,
            "mtu": 1500,
            "carrier": 1,
            "speed": 10000,
            "operstate": "up",
        }.items():
            put(f"{base}/{file}", f"{text}\n")
        (folder / base / "device").mkdir()
        (folder / base / "device/driver").symlink_to("../../../../bus/pci/drivers/example")
        address, prefix = mgmt_address.split("/")
        links.append(
            {
                "ifindex": index,
                "ifname": name,
                "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"],
                "mtu": 1500,
                "max_mtu": 9600,
                "operstate": "UP",
                "link_type": "ether",
                "address": mac,
                "permaddr": mac,
                "addr_info": [
                    {
                        "family": "inet",
                        "local": address,
                        "prefixlen": int(prefix),
                        "scope": "global",
                        "dynamic": True,
                    }
                ]
                if index == 2
                else [],
            }
        )
    put("ip-addr.json", json.dumps(links))
    put(
        "ip-route.json",
        json.dumps(
            [
                {"dst": "default", "gateway": "10.77.0.1", "dev": "enp1s0"},
                {"dst": "10.77.0.0/24", "dev": "enp1s0", "prefsrc": address, "scope": "link"},
            ]
        ),
    )
    return folder
