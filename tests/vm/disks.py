"""Disks of machines: raw, sparse files that show themselves as what they are said to be."""

import dataclasses
import hashlib
import os
import pathlib
import subprocess

from host import MIB, run



@dataclasses.dataclass
class Disk:
    """A disk of a machine, in a raw file of its own. kind: nvme, scsi or virtio. A SCSI disk takes
    a WWN (64 bit); the names that the machine then sees are in by_id."""

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
        # cache=writeback: a power cut loses the machine, not the host's pages. Locks are off
        # because nothing else opens the file.
        drive = f"file={self.path},if=none,id=d{number},format=raw,cache=writeback,discard=unmap"
        if self.kind == "nvme":
            device = f"nvme,drive=d{number},serial={self.serial}"
        elif self.kind == "virtio":
            device = f"virtio-blk-pci,drive=d{number},serial={self.serial}"
        else:
            device = (f"scsi-hd,bus=scsi.0,drive=d{number},vendor={self.vendor},"
                      f"product={self.product},ver=E003,serial={self.serial},rotation_rate=7200"
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
    """A GPT disk with one EFI system partition; files is {path on it: file here}."""
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
    zeroes with its place. (Reading a sparse image's holes for their zeroes takes far longer.)"""
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
