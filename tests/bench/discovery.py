"""What discovery costs with 16 to 1,024 disks, against the tools that do the same work in the same run.

The disks are loop devices. Where the kernel makes no partition devices, ours reads each partition in
place; the tools do not look into them. With no udev lsblk alone knows no signatures, so that blkid is
asked for them.
"""

import os
import pathlib
import subprocess
import time

import loop_disks

REPO = pathlib.Path(__file__).resolve().parents[2]
FIRSTBOOT = os.environ.get("STRATUM_FIRSTBOOT", str(REPO / "build/firstboot"))
COUNTS = [int(word) for word in os.environ.get("DISKS", "16 64 256 1024").split()]
OURS = [[FIRSTBOOT, "discover", "--json"]]
LSBLK = [["lsblk", "-J", "-O"]]
NET = [["ip", "-j", "-d", "addr"], ["ip", "-j", "route"]]


def wall(commands):
    began = time.perf_counter()
    for argv in commands:
        subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def status_of(pid):
    """(most resident KiB ever, its own share now) of a process; nothing once it is gone."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        shares = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(status.split("VmHWM:")[1].split()[0]), int(shares.split("\nPss:")[1].split()[0])
    except (OSError, IndexError):
        return None


def memory():
    """Looks at one run again and again: the parent's most, its largest child's most, and the most
    that all had at one instant (each shared page counted once)."""
    program = subprocess.Popen(OURS[0], stdout=subprocess.DEVNULL)
    parent = child = together = 0
    while program.poll() is None:
        children = []
        try:
            listed = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text()
            children = [status_of(pid) for pid in listed.split()]
        except OSError:
            pass
        own = status_of(program.pid)
        found = [one for one in children if one]
        if own:
            parent = max(parent, own[0])
            together = max(together, own[1] + sum(share for _, share in found))
        child = max([child, *(most for most, _ in found)])
    return {"parent": parent, "largest child": child, "all together": together}


def discovery(runs):
    figures = {}
    for count in COUNTS:
        with loop_disks.LoopDisks(count) as paths:
            same = LSBLK + [["blkid", "-p", *paths]] + NET
            wall(OURS + same)  # the images are in memory for everybody
            rows = {"ours": [], "peer": [], "lsblk": []}
            most = {}
            for _ in range(runs):
                rows["ours"].append(wall(OURS))
                rows["peer"].append(wall(same))
                rows["lsblk"].append(wall(LSBLK))
                for what, kib in memory().items():
                    most.setdefault(what, []).append(kib)
        figures[f"{count} disks"] = {
            "unit": "s",
            "ours": rows["ours"],
            "peer": rows["peer"],
            "peerIs": "lsblk -J -O, blkid -p of all, ip -j -d addr, ip -j route",
        }
        figures[f"{count} disks, lsblk alone"] = {
            "unit": "s",
            "ours": rows["ours"],
            "peer": rows["lsblk"],
            "peerIs": "lsblk -J -O, which knows no signatures here",
        }
        for what, values in most.items():
            figures[f"{count} disks, resident, {what}"] = {"unit": "KiB", "ours": values}
    return figures
