"""A captured machine for the joiner, made up: NICs, a CPU that can virtualize, disks if wanted.

The folder is what `firstboot discover --root` reads: sys, proc, etc, what iproute2 printed, and in
contents.json what reading each device would give.
"""

import json
import pathlib


GIB = 1 << 30
NICS = [{"name": "enp1s0"}, {"name": "enp2s0"}]


def write(folder, number, mgmt_address="10.77.0.50/24", disks=(), nics=NICS):
    """`number` 1 to 99 makes one machine differ from another in everything that names it.

    A disk is {"name", "gib", …}, see `write_disk`; a NIC {"name", "speed", "max_mtu", "up"}. The
    first NIC has the mgmt address.
    """
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
    contents = {}
    for index, disk in enumerate(disks):
        contents.update(write_disk(put, index, disk, number))
    if contents:
        put("contents.json", json.dumps(contents))
    links = []
    for index, nic in enumerate(nics, start=2):
        name, is_up = nic["name"], nic.get("up", True)
        mac = f"52:54:00:77:{number:02x}:{index:02x}"
        base = f"sys/class/net/{name}"
        for file, text in {
            "ifindex": index,
            "type": 1,
            "address": mac,
            "addr_assign_type": 0,
            "mtu": 1500,
            "carrier": int(is_up),
            "speed": nic.get("speed", 10000),
            "operstate": "up" if is_up else "down",
        }.items():
            put(f"{base}/{file}", f"{text}\n")
        (folder / base / "device").mkdir()
        (folder / base / "device/driver").symlink_to("../../../../bus/pci/drivers/example")
        address, prefix = mgmt_address.split("/")
        links.append(
            {
                "ifindex": index,
                "ifname": name,
                "flags": ["BROADCAST", "MULTICAST", "UP"] + ["LOWER_UP"] * is_up,
                "mtu": 1500,
                "max_mtu": nic.get("max_mtu", 9600),
                "operstate": "UP" if is_up else "DOWN",
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


def write_disk(put, index, disk, number):
    """An NVMe or SCSI disk by its name; gives back its row of contents.json.

    "rotational", "block": as sysfs says; "signatures": what blkid would find (none: blank); "read":
    False where reading it did not get to the end; "serial": "" for a disk that nothing names.
    """
    name = disk["name"]
    base = f"sys/class/block/{name}"
    serial = disk.get("serial", f"S{number:02}{name.upper()}")
    wide = f"{number:04x}{index:08x}"
    put(f"{base}/dev", f"8:{index * 16}\n")
    put(f"{base}/uevent", f"MAJOR=8\nMINOR={index * 16}\nDEVNAME={name}\nDEVTYPE=disk\n")
    put(f"{base}/ro", f"{int(disk.get('read_only', False))}\n")
    put(f"{base}/size", f"{int(disk['gib'] * GIB) // 512}\n")
    put(f"{base}/removable", "0\n")
    put(f"{base}/queue/rotational", f"{int(disk.get('rotational', False))}\n")
    put(f"{base}/queue/logical_block_size", f"{disk.get('block', 512)}\n")
    if name.startswith("nvme"):
        put(f"{base}/device/model", "Example NVMe\n")
        put(f"{base}/device/serial", f"{serial}\n")
        if serial:
            put(f"{base}/wwid", f"eui.0025385{wide}a\n")
        put(f"{base}/nsid", "1\n")
    else:
        put(f"{base}/device/vendor", "EXAMPLE \n")
        put(f"{base}/device/model", "Example HDD     \n")
        put(f"{base}/device/type", "0\n")
        put(f"{base}/device/scsi_level", "7\n")
        if serial:
            put(f"{base}/device/wwid", f"naa.5000c50{wide[3:]}\n")
    return {
        name: {
            "complete": disk.get("read", True),
            "exclusive": "free",
            "signatures": disk.get("signatures", []),
            "tables": [],
            "partitions": [],
        }
    }
