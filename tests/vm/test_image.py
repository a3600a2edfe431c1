"""The appliance image, with the empty payload in firstboot's place."""

import json
import re
import unittest

import harness

# Without hardware acceleration and on a busy machine a boot takes minutes, on an idle one 20 s.
BOOT_SECONDS = 400

# What the phases of a join, and the steps of a bundle, may call.
TOOLS = """sh bash awk sed grep tar gzip zstd ip lsblk blkid wipefs sfdisk blkdiscard partx mount
    umount mkfs.ext4 e2fsck mkfs.vfat mkswap lvm pvcreate vgcreate lvcreate vgchange mdadm dmsetup
    cryptsetup udevadm networkctl resolvectl timedatectl hostnamectl systemctl journalctl systemd-run sha256sum
    modprobe ping arping sysctl ldconfig chroot getent stratumctl firstboot""".split()

class ImageBoots(unittest.TestCase):
    """One machine with a disk of each kind and two NICs, booted once; each check looks at it."""

    @classmethod
    def setUpClass(cls):
        image = harness.build_image("payload", harness.payload(), uki=True)
        cls.network = cls.enterClassContext(harness.Network("br-mgmt"))
        cls.network.address("br-mgmt", "10.77.0.1/24")
        cls.network.serve_dhcp("br-mgmt", "10.77.0.50", "10.77.0.99", "--dhcp-option=6,10.77.0.1")
        cls.disks = [
            harness.blank_disk(harness.WORK / "image-nvme.raw", "nvme", "S4EWNX0R100001"),
            harness.blank_disk(harness.WORK / "image-scsi.raw", "scsi", "ZC1A0001",
                               wwn=0x5000C500A1B2C301),
            harness.blank_disk(harness.WORK / "image-virtio.raw", "virtio", "STATE0001"),
        ]
        nics = [cls.network.nic("br-mgmt"), cls.network.nic("br-mgmt", model="e1000e")]
        cls.vm = cls.enterClassContext(
            harness.Machine("image", image, disks=cls.disks, nics=nics))
        cls.vm.wait_for(r"payload started on /dev/ttyS0 at ([0-9.]+) s", seconds=BOOT_SECONDS)
        cls.ready = cls.vm.seconds

    def test_service_starts_on_the_serial_console(self):
        print(f"    QEMU start to the service's first line: {self.ready:.1f} s")
        state = self.vm.run("systemctl is-active firstboot-join.service").strip()
        self.assertEqual(state, "active")

    def test_nothing_but_the_service_is_on_the_consoles(self):
        text = self.vm.console.text
        before = text[:text.index("payload started")]
        self.assertEqual(before.strip(), "", "something wrote on the serial console")
        rows = [row for row in self.vm.screen_text() if row.strip()]
        self.assertRegex(rows[0], r"^payload started on /dev/tty1")

    def test_tty1_shows_the_service(self):
        self.assertGreater(self.vm.screenshot("image-tty1"), 0.0005, "the screen is black")

    def test_keys_typed_on_either_console_reach_the_service(self):
        self.vm.type("Serial-1\n")
        self.vm.wait_for(r"payload read: Serial-1", seconds=10)
        self.vm.press("Key-2:ok\n")
        self.vm.wait_until("grep -q 'payload read: Key-2:ok' /dev/vcs1", seconds=10)

    def test_udev_has_settled_before_the_service(self):
        self.assertEqual(self.vm.run("udevadm settle --timeout=0; echo $?").strip(), "0")
        for disk in self.disks:
            self.vm.run(f"test -b {disk.by_id}")

    def test_every_nic_gets_an_address_by_dhcp(self):
        nics = self.vm.wait_until(
            "ip -4 -o addr show scope global | awk '{print $2, $4}' | sort | "
            "awk '{print} END {exit NR != 2}'", seconds=30)
        for line in nics.splitlines():
            self.assertRegex(line, r"^en\S+ 10\.77\.0\.[5-9]\d/24$")

    def test_names_are_asked_where_dhcp_says(self):
        self.vm.wait_until("resolvectl dns | grep -q 10.77.0.1", seconds=20)
        self.assertIn("127.0.0.53", self.vm.run("cat /etc/resolv.conf"))

    def test_the_tools_of_the_phases_are_there(self):
        missing = self.vm.run(
            f"for t in {' '.join(TOOLS)}; do command -v $t >/dev/null || echo $t; done")
        self.assertEqual(missing.split(), [])

    def test_no_unit_failed(self):
        failed = self.vm.run("systemctl list-units --failed --no-legend --plain").strip()
        self.assertEqual(failed, "")

    def test_nobody_can_log_in(self):
        shadow = self.vm.run("cat /etc/shadow")
        unlocked = [line for line in shadow.splitlines() if not re.match(r"[^:]+:!", line)]
        self.assertEqual(unlocked, [])
        running = self.vm.run("ps -e -o comm=").split()
        self.assertEqual(set(running) & {"agetty", "login", "sulogin", "sshd", "sh", "bash"}, set())
        shell = self.vm.run("systemctl is-enabled debug-shell.service || true").strip()
        self.assertEqual(shell, "masked")

    def test_without_a_state_partition_the_state_is_in_ram(self):
        self.assertEqual(self.vm.run("cat /run/stratum/state").strip(), "ram")
        self.assertEqual(self.vm.run("stat -c '%a %U' /var/lib/stratum").strip(), "700 root")

    def test_storage_can_be_built_and_strange_volume_groups_stay_asleep(self):
        scsi, nvme = self.disks[1].by_id, self.disks[0].by_id
        self.vm.run(f"pvcreate -q {scsi} && vgcreate -q vg_strange {scsi} && "
                    "lvcreate -q -y -L 32M -n data vg_strange && vgchange -q -an vg_strange")
        self.vm.run(f"pvcreate -q {nvme} && vgcreate -q --addtag stratum vg_ours {nvme} && "
                    "lvcreate -q -y -L 32M -n data vg_ours && vgchange -q -an vg_ours")
        # What a boot would bring: both disks appear anew.
        self.vm.run("rm -rf /run/lvm; udevadm trigger --action=add --subsystem-match=block; "
                    "udevadm settle")
        self.vm.wait_until("test -e /dev/vg_ours/data", seconds=20)
        self.assertEqual(self.vm.run("ls /dev/mapper").split(), ["control", "vg_ours-data"])

    def test_units_are_valid_and_the_founders_is_shut_in(self):
        units = " ".join(f"/usr/lib/systemd/system/firstboot-{name}.service"
                         for name in ("join", "member", "founder"))
        self.vm.run(f"systemd-analyze verify {units} stratum-state.service", seconds=BOOT_SECONDS)
        security = json.loads(self.vm.run(
            "systemd-analyze security --json=short firstboot-founder.service", seconds=60))
        weak = [row["name"] for row in security if float(row.get("exposure") or 0) >= 0.3]
        # It is on the network: that much it must.
        self.assertEqual(weak, ["RestrictAddressFamilies=~AF_(INET|INET6)", "PrivateNetwork="])


class UkiBoots(unittest.TestCase):
    def test_uki_starts_the_service_by_firmware(self):
        image = harness.build_image("payload", harness.payload(), uki=True)
        code = harness.WORK / "uki-join-code"
        code.write_text("2345-6789-ABCD-EFGH 10.77.0.1\n")
        esp = harness.esp_disk(harness.WORK / "uki-esp.raw", {
            "EFI/BOOT/BOOTX64.EFI": image.uki, "stratum/join-code": code})
        with harness.Machine("uki", uefi=True, disks=[esp]) as vm:
            vm.wait_for(r"payload started on /dev/ttyS0", seconds=BOOT_SECONDS)
            print(f"    QEMU start to the service's first line by UEFI: {vm.seconds:.1f} s")
            self.assertEqual(vm.run("test -d /sys/firmware/efi && echo efi").strip(), "efi")
            self.assertEqual(vm.run("cat /proc/cmdline").strip().rstrip("\0"), image.command_line)
            self.assertEqual(vm.run("cat /run/stratum/join-code"), code.read_text())
            self.assertGreater(vm.screenshot("uki-tty1"), 0.0002, "the screen is black")
            rows = [row for row in vm.screen_text() if row.strip()]
            self.assertRegex(rows[0], r"^payload started on /dev/tty1")
