"""Hardware of every kind that QEMU has, and stacks on it as somebody's old machine may have them: what
the discovery test builds all at once, and tests/machines/record one after the other.

Each stack says which disks it stands on, how it is built and taken down (shell, in the machine) and
what the tools there are asked about it. Disks are sparse files in a folder.
"""

import base64
import dataclasses
import pathlib
import shutil
import subprocess

from host import MIB, REPO, VmError
from images import build_image
from extras import guest_extras

DISK_BYTES = 256 * MIB


@dataclasses.dataclass(frozen=True)
class Hardware:
    """Devices that Machine takes among its disks: words of QEMU's command line."""

    kind: str
    words: tuple

    def arguments(self, _number):
        return list(self.words)


def image(program, *, name="discovery"):
    """The appliance's image with what the stacks need beside it."""
    release = (build_image("firstboot", program).folder / "kernel-release").read_text().strip()
    return build_image(name, program, add=[REPO / "tests/vm/guest-stacks", guest_extras(release)])


# -- hardware ------------------------------------------------------------------------------------

SCSI = {name: number for number, name in enumerate((
    "md0", "md1", "md2", "md3", "end0", "end1", "lvm0", "lvm1", "crypt0", "one0", "one1", "btrfs0",
    "btrfs1"))}
PATHS = {"path0": 32, "path1": 33}
ODD = {"readonly": 40, "optical": 41, "empty": 42}
WWN = 0x5000C500A1B2C300
PATHS_WWN = 0x5001405A1B2C3D01


def by_wwn(name):
    return f"/dev/disk/by-id/wwn-0x{WWN + SCSI[name]:016x}"


ATA = "/dev/disk/by-id/wwn-0x50014ee2b5a1b2c3"
USB = "/dev/disk/by-id/usb-QEMU_QEMU_HARDDISK_4C530001-0:0"


def _file(folder, name, size=DISK_BYTES):
    path = pathlib.Path(folder) / f"{name}.raw"
    path.unlink(missing_ok=True)
    with open(path, "xb") as file:
        file.truncate(size)
    return path


def _drive(name, path, more=""):
    return ("-drive", f"file={path},if=none,id={name},format=raw,cache=writeback,discard=unmap{more}")


def _iso(path):
    """A disc with a volume label and nothing on it (ECMA-119, 8.4)."""
    sector = bytearray(2048)
    sector[:7] = b"\x01CD001\x01"
    sector[40:72] = b"OLD-INSTALLER".ljust(32)
    path.write_bytes(bytes(32768) + bytes(sector) + b"\xffCD001\x01".ljust(2048, b"\0") + bytes(32768))


def hardware(folder):
    """Every device, for Machine's disks: SCSI, ATA, NVMe (two namespaces; one behind two controllers),
    USB, optical, and four NICs."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    words = []
    for name, number in SCSI.items():
        words += _drive(name, _file(folder, name))
        words += ("-device", f"scsi-hd,bus=scsi.0,scsi-id={number},drive={name},vendor=SEAGATE,"
                             f"product=ST4000NM017A,ver=E003,serial=ZC1A{number:04},"
                             f"wwn=0x{WWN + number:016x},rotation_rate=7200")
    lun = _file(folder, "lun")
    for name, number in PATHS.items():
        words += _drive(name, lun, ",file.locking=off")
        words += ("-device", f"scsi-hd,bus=scsi.0,scsi-id={number},drive={name},share-rw=on,"
                             f"vendor=STORAGE,product=LUN,ver=1,serial=LUN0001,wwn=0x{PATHS_WWN:016x}")
    words += _odd(folder) + _ata_and_usb(folder) + _nvme(folder) + _nics()
    return [Hardware("scsi", tuple(words))]


def _odd(folder):
    disc = folder / "disc.iso"
    _iso(disc)
    return [*_drive("readonly", _file(folder, "readonly"), ",readonly=on"),
            "-device", f"scsi-hd,bus=scsi.0,scsi-id={ODD['readonly']},drive=readonly,serial=RO0001,"
                       "vendor=SEAGATE,product=ST4000NM017A,wwn=0x5000c500a1b2c3f0",
            "-drive", f"file={disc},if=none,id=disc,format=raw,media=cdrom,readonly=on",
            "-device", f"scsi-cd,bus=scsi.0,scsi-id={ODD['optical']},drive=disc,serial=CD0001",
            "-device", f"scsi-cd,bus=scsi.0,scsi-id={ODD['empty']},serial=CD0002"]


def _ata_and_usb(folder):
    return [*_drive("ata", _file(folder, "ata")),
            "-device", "ide-hd,bus=ide.0,drive=ata,model=WDC WD40EFRX-68N32N0,serial=WD-WX11A1B2C3D4,"
                       "wwn=0x50014ee2b5a1b2c3,ver=82.00A82,rotation_rate=5400",
            *_drive("usb", _file(folder, "usb")),
            "-device", "qemu-xhci,id=xhci",
            "-device", "usb-storage,bus=xhci.0,drive=usb,serial=4C530001,removable=on"]


def _nvme(folder):
    words = ["-device", "nvme,id=spaces,serial=S4EWNX0R100001"]
    for number, block in ((1, 512), (2, 4096)):
        words += _drive(f"space{number}", _file(folder, f"space{number}"))
        words += ("-device", f"nvme-ns,bus=spaces,drive=space{number},nsid={number},"
                             f"logical_block_size={block},physical_block_size={block}")
    words += ("-device", "nvme-subsys,id=shelf,nqn=stratum-test")
    for name in ("way0", "way1"):
        words += ("-device", f"nvme,id={name},serial=S5XXNX0R200001,subsys=shelf")
    words += _drive("shared", _file(folder, "shared"))
    words += ("-device", "nvme-ns,bus=way0,drive=shared,nsid=1,shared=on")
    return words


def _nics():
    words = []
    for number, model in ((1, "virtio-net-pci"), (2, "e1000e")):
        words += ("-netdev", f"hubport,id=hub{number},hubid=1",
                  "-device", f"{model},netdev=hub{number},mac=52:54:00:aa:00:{number:02x}")
    words += ("-netdev", "user,id=user", "-device", "virtio-net-pci,netdev=user,mac=52:54:00:aa:00:03")
    return words


# -- inside the machine --------------------------------------------------------------------------

# What every step has at hand beside the variables of its disks.
PRELUDE = """set -e
export LC_ALL=C
settle() { udevadm settle --timeout=300; }
"""


def prelude(disks):
    """Shell: $md0 and its like are the devices' paths. (A fork costs much without acceleration.)"""
    links = {**{name: by_wwn(name) for name in SCSI}, "ata": ATA, "usb": USB}
    known = [name for name in disks if name in links]
    lines = [PRELUDE, f"lun={PATHS_WWN:x}\n"]
    if known:
        lines.append("read -d '' " + " ".join(known) + " < <(readlink -f " +
                     " ".join(links[name] for name in known) + ") || true\n")
    return "".join(lines)


def prepare(vm, seconds=600):
    """Waits for the machine (which joins nobody: guest-stacks), and networkd's hands off two NICs."""
    vm.run("systemctl is-system-running --wait >/dev/null; udevadm settle", seconds=seconds)
    inside(vm, """
    mkdir -p /run/systemd/network /run/m
    printf '[Match]\\nPermanentMACAddress=52:54:00:aa:00:01 52:54:00:aa:00:02\\n[Link]\\nUnmanaged=yes\\n' \\
      >/run/systemd/network/10-left-alone.network
    networkctl reload
    for m in /usr/lib/stratum-test/modules/*; do insmod "$m" 2>/dev/null || true; done
    modprobe -a dm_multipath dm_service_time dm_round_robin
    """)


def inside(vm, script, disks=(), seconds=600):
    """Runs a script with the prelude before it; what it printed."""
    code, said = vm.try_run(prelude(disks) + script, seconds=seconds)
    if code:
        raise VmError(f"in {vm.name}: exit {code} of\n{script}\n{said}")
    return said


def show_only(vm, stack):
    """Takes every disk away that the stack does not stand on, and brings those back that it does."""
    numbers = {**SCSI, **PATHS, **ODD}
    wanted = " ".join(str(numbers[name]) for name in stack.disks if name in numbers)
    inside(vm, f"""
    want=" {wanted} " nvme=" {' '.join(stack.nvme)} "
    ata={int('ata' in stack.disks)} usb={int('usb' in stack.disks)}
    hosts=(/sys/bus/pci/devices/*/virtio*/host*); host=${{hosts[0]##*host}}
    for d in /sys/bus/scsi/devices/[0-9]*:*; do
      IFS=: read h c t l <<<"${{d##*/}}"
      [ -e $d/block ] || continue
      if [ $h = $host ]; then case $want in *" $t "*) continue ;; esac
      else case $(readlink -f $d) in
        */usb*) continue ;;
        *) [ $ata = 0 ] || continue ;; esac; fi
      echo 1 >$d/delete
    done
    for t in $want; do
      [ -e /sys/bus/scsi/devices/$host:0:$t:0 ] || echo "0 $t 0" >/sys/class/scsi_host/host$host/scan
    done
    if [ $ata = 1 ]; then for h in /sys/class/scsi_host/*; do
      case $(readlink -f $h) in *ata*) echo "- - -" >$h/scan ;; esac; done; fi
    for u in /sys/bus/usb/devices/[0-9]*-[0-9]; do
      [ "$(<$u/authorized)" = $usb ] || echo $usb >$u/authorized
    done
    [ "$nvme" = "  " ] || echo 1 >/sys/bus/pci/rescan
    for i in {{1..60}}; do
      settle; missing=
      for t in $want; do [ -e /sys/bus/scsi/devices/$host:0:$t:0/block ] || missing=1; done
      [ $ata = 0 ] || [ -e {ATA} ] || missing=1
      [ $usb = 0 ] || [ -e {USB} ] || missing=1
      for n in $nvme; do grep -q "$n" /sys/class/nvme/*/serial || missing=1; done
      [ -n "$missing" ] || break; sleep 0.5
    done
    for c in /sys/class/nvme/nvme[0-9]*; do
      [ -e $c ] || continue
      read serial <$c/serial
      case $nvme in *" $serial "*) ;; *) echo 1 >$c/device/remove ;; esac
    done
    settle; [ -z "$missing" ]
    """)


def capture(vm, folder):
    """What `firstboot discover --capture` writes in the machine, into a new folder here."""
    packed = inside(vm, "rm -rf /run/capture; firstboot discover --capture /run/capture >/dev/null\n"
                        "tar -C /run/capture -czf - . | base64 -w0")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-xzf", "-", "-C", folder], input=base64.b64decode(packed), check=True)


@dataclasses.dataclass(frozen=True)
class Stack:
    """disks: names of SCSI, PATHS, ODD, or ata, usb. nvme: serials of controllers."""

    name: str
    disks: tuple = ()
    nvme: tuple = ()
    build: str = ""
    down: str = ""
    said: str = ""  # more to ask the tools, a line each, for a person who compares


STACKS = (
    Stack("two-paths-without-a-map", ("path0", "path1")),
    Stack("multipath", ("path0", "path1"), build="""
        printf 'defaults {\\n user_friendly_names yes\\n find_multipaths no\\n}\\n' >/etc/multipath.conf
        multipath -v1 3$lun; settle
        printf 'label: gpt\\nname=lun,size=100M\\n' | sfdisk -q --no-reread --no-tell-kernel /dev/mapper/mpatha
        kpartx -a -s -p -part /dev/mapper/mpatha; settle
        mkfs.ext4 -q -L lun /dev/mapper/mpatha-part1; mkdir -p /run/m/lun
        mount /dev/mapper/mpatha-part1 /run/m/lun; settle
        # The first path breaks: the map goes on by the other.
        read dev </sys/class/block/$(ls $(readlink -f /dev/mapper/mpatha | sed s,/dev,/sys/class/block,)/slaves | head -n 1)/dev
        dmsetup message mpatha 0 "fail_path $dev"
        """, down="umount /run/m/lun; kpartx -d -p -part /dev/mapper/mpatha; settle; multipath -F; settle",
          said="multipath -ll\ndmsetup table\ndmsetup info -c"),
    Stack("md-degraded", ("md0", "md1", "md2", "md3"), build="""
        for d in $md0 $md1 $md2 $md3; do
          printf 'label: gpt\\nname=five,size=64M\\nname=ten,size=64M\\nname=one\\n' | sfdisk -q $d
        done; settle
        mdadm -q --create /dev/md/five --run --homehost=oldbox --assume-clean --level=5 --raid-devices=3 \\
          ${md0}1 ${md1}1 ${md2}1
        mdadm -q --create /dev/md/ten --run --homehost=oldbox --assume-clean --level=10 --raid-devices=4 \\
          ${md0}2 ${md1}2 ${md2}2 ${md3}2
        mdadm -q --create /dev/md/one --run --homehost=oldbox --assume-clean --level=1 --raid-devices=2 \\
          ${md0}3 missing
        settle
        mkfs.ext4 -q -L five /dev/md/five; mkswap -q -L ten /dev/md/ten; settle
        mdadm -q /dev/md/five --fail ${md2}1
        mdadm -q /dev/md/ten --fail ${md3}2; sleep 1; mdadm -q /dev/md/ten --remove ${md3}2
        mkdir -p /run/m/five; mount /dev/md/five /run/m/five; swapon /dev/md/ten; settle
        """, down="umount /run/m/five; swapoff /dev/md/ten; mdadm -q --stop /dev/md/five /dev/md/ten /dev/md/one",
          said="cat /proc/mdstat\nfor a in five ten one; do mdadm --detail --export /dev/md/$a; done"),
    Stack("md-at-the-end", ("end0", "end1"), build="""
        mdadm -q --create /dev/md/end --run --homehost=oldbox --assume-clean --level=1 --metadata=1.0 \\
          --raid-devices=2 $end0 $end1
        settle; mkfs.ext4 -q -L atend /dev/md/end; settle
        """, down="mdadm -q --stop /dev/md/end", said="cat /proc/mdstat\nmdadm --detail --export /dev/md/end"),
    Stack("md-at-the-end-stopped", ("end0", "end1"), build="""
        for a in /dev/md/*; do [ ! -b $a ] || mdadm -q --stop $a; done; settle
        """, said="cat /proc/mdstat\nwipefs $end0 $end1"),
    Stack("lvm-on-md", ("lvm0", "lvm1"), build="""
        for d in $lvm0 $lvm1; do
          printf 'label: gpt\\nname=ESP,size=48M,type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B\\n'\\
'name=raid,type=A19D880F-05FC-4D3B-A006-743F0F84911E\\n' | sfdisk -q $d
        done; settle
        mkfs.vfat -n ESP0 ${lvm0}1 >/dev/null; mkfs.vfat -n ESP1 ${lvm1}1 >/dev/null
        mdadm -q --create /dev/md/sys --run --homehost=oldbox --assume-clean --level=1 --metadata=1.2 \\
          --raid-devices=2 ${lvm0}2 ${lvm1}2
        settle
        only="--devices $(readlink -f /dev/md/sys)"
        vgcreate -q $only vg-sys /dev/md/sys; lvcreate -q $only -y -n root -L 64M vg-sys
        lvcreate -q $only -y -n var-log -L 16M vg-sys
        mkfs.ext4 -q -L root /dev/vg-sys/root; lvcreate -q $only -y -s -n before -L 16M vg-sys/root
        mkdir -p /run/m/root; mount /dev/vg-sys/root /run/m/root; settle
        """, down="umount /run/m/root; vgchange -q -an vg-sys; mdadm -q --stop /dev/md/sys",
          said="cat /proc/mdstat\npvs -v\nvgs -v\nlvs -a -v\ndmsetup ls --tree"),
    Stack("luks-on-lvm", ("ata", "crypt0"), build="""
        only="--devices $ata,$crypt0"
        vgcreate -q $only vg_crypt $ata $crypt0
        lvcreate -q $only -y --type raid1 -m 1 --nosync -n mirror -L 64M vg_crypt
        echo -n secretpass | cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 \\
          --pbkdf-force-iterations 1000 --label oldcrypt /dev/vg_crypt/mirror -
        echo -n secretpass | cryptsetup open /dev/vg_crypt/mirror secret -; settle
        mkfs.ext4 -q -L secret /dev/mapper/secret; mkdir -p /run/m/secret
        mount /dev/mapper/secret /run/m/secret; settle
        """, down="umount /run/m/secret; cryptsetup close secret; vgchange -q -an vg_crypt",
          said="pvs -v\nvgs -v\nlvs -a -v\ndmsetup ls --tree"),
    Stack("two-groups-of-one-name", ("one0", "one1"), build="""
        for d in $one0 $one1; do
          vgcreate -q --devices $d data $d; lvcreate -q --devices $d -y -n ${d##*/} -L 32M data
          vgchange -q --devices $d -an data; settle
        done
        vgchange -q --devices $one0 -ay data; settle
        """, down="dmsetup remove data-${one0##*/}",
          said="pvs -v\nvgs -v\nlvs -v\ndmsetup ls --tree"),
    Stack("btrfs-over-two-disks", ("btrfs0", "btrfs1"), build="""
        mkfs.btrfs -q -L pool -d raid1 -m raid1 $btrfs0 $btrfs1; settle
        mkdir -p /run/m/pool; mount $btrfs0 /run/m/pool; settle
        """, down="umount /run/m/pool", said="btrfs filesystem show"),
    Stack("nvme-namespaces", nvme=("S4EWNX0R100001",), build="""
        n=$(ls -d /sys/class/nvme/nvme*/ | while read c; do
          [ "$(tr -d ' ' <$c/serial)" != S4EWNX0R100001 ] || basename $c; done)
        mkfs.ext4 -q -F -L first /dev/${n}n1; settle
        """),
    Stack("nvme-two-controllers", nvme=("S5XXNX0R200001",), build="""
        n=$(grep -l S5XXNX0R200001 /sys/class/nvme-subsystem/*/serial | head -n 1)
        n=$(basename $(ls -d $(dirname $n)/nvme*n1 | head -n 1))
        printf 'label: gpt\\nname=shared\\n' | sfdisk -q /dev/$n; settle
        mkfs.ext4 -q -L shared /dev/${n}p1; mkdir -p /run/m/shared; mount /dev/${n}p1 /run/m/shared; settle
        """, down="umount /run/m/shared", said="ls -l /sys/class/block /sys/class/nvme-subsystem/*"),
    Stack("usb-stick", ("usb",), build="""
        printf 'label: dos\\ntype=c,bootable\\n' | sfdisk -q $usb; settle
        mkfs.vfat -n STICK ${usb}1 >/dev/null; mkdir -p /run/m/stick; mount ${usb}1 /run/m/stick; settle
        """, down="umount /run/m/stick"),
    Stack("odd-disks", ("readonly", "optical", "empty"), build="""
        truncate -s 64M /run/m/image; losetup /dev/loop3 /run/m/image; mkfs.ext4 -q -L inner /dev/loop3
        mkdir -p /run/m/inner; mount /dev/loop3 /run/m/inner; settle
        """, down="umount /run/m/inner; losetup -d /dev/loop3; rm /run/m/image"),
    Stack("bond-vlan-bridge", build="""
        a=$(basename $(dirname $(grep -l 52:54:00:aa:00:01 /sys/class/net/*/address)))
        b=$(basename $(dirname $(grep -l 52:54:00:aa:00:02 /sys/class/net/*/address)))
        ip link add bond0 type bond mode 802.3ad miimon 100 xmit_hash_policy layer3+4
        for n in $a $b; do ip link set $n down; ip link set $n master bond0; done
        ip link set bond0 mtu 9000 up
        ip link add link bond0 name bond0.42 type vlan id 42
        ip link add br42 type bridge; ip link set bond0.42 master br42; ip link set bond0.42 up
        ip link set br42 up; ip addr add 10.42.0.5/24 dev br42; ip -6 addr add fd42::5/64 dev br42 nodad
        ip link add link bond0 name bond0.43 type vlan id 43; ip link set bond0.43 mtu 1500 up
        ip addr add 10.43.0.5/24 dev bond0.43; ip route add 10.99.0.7 via 10.43.0.1
        ip link property add dev $a altname rack1-port7; settle
        for i in $(seq 40); do ip -4 -o addr show scope global | grep -q 10.0.2. && break; sleep 0.5; done
        """, said="ip -br link\nip -br addr\nip route\ngrep -E 'Mode|Slave|Policy' /proc/net/bonding/bond0"),
)

ASK = "lsblk -o NAME,SIZE,TYPE,FSTYPE,LABEL,MOUNTPOINTS,SERIAL,WWN,RO,RM"


def stack(name):
    return next(one for one in STACKS if one.name == name)
