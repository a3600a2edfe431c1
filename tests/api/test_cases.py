"""Odd machines and odd choices: what each approval is refused at, by dry run, in one line each.

A row is (what, change of the inventory, assignment, wanted): wanted is "" where it is accepted, else
the fields of the 409 with a blank between them. The answers were written down before the founder was
asked.
"""

import copy
import unittest

import seed
from seed import BOND, LINKS, VLAN

GIB = 1 << 30
BY_ID = "/dev/disk/by-id/"
STORAGE, OVERLAY = LINKS


def disk(inventory, name):
    return next(one for one in inventory["disks"] if one["name"] == name)


def nic(inventory, name):
    return next(one for one in inventory["nics"] if one["name"] == name)


def of_disk(name_, /, **values):
    return lambda inventory: disk(inventory, name_).update(values)


def of_nic(name_, /, **values):
    return lambda inventory: nic(inventory, name_).update(values)


def all_of(*changes):
    def change(inventory):
        for each in changes:
            each(inventory)

    return change


def same(_):
    """The machine as it is."""


def without(name, member):
    return lambda inventory: disk(inventory, name).pop(member)


def another_disk(**values):
    """The first disk once more, but for these values."""

    def change(inventory):
        twin = copy.deepcopy(disk(inventory, "nvme0n1"))
        twin.update(values)
        inventory["disks"].append(twin)

    return change


def another_nic(**values):
    return lambda inventory: inventory["nics"].append(values)


def record(layout="whole-disk", oob=""):
    made = {"release": "0.6.0", "osDiskLayout": layout, "disks": [], "oobInterface": oob}
    return lambda inventory: inventory.update(installRecord=made)


def compute(key, **values):
    return {"key": key, "role": "compute", "pool": "fast", **values}


def osd(key, **values):
    return {"key": key, "role": "ceph-osd", **values}


def member(interface, controller="bond0", **values):
    name = f"of-{controller}-{interface}"
    return {"name": name, "interface": interface, "controller": controller, **values}


def vlan(**values):
    return {**VLAN, "name": "extra", "parent": "enp4s0", **values}


def extra(**values):
    return {"name": "extra", "interface": "enp4s0", **values}


def storage(**values):
    return {**STORAGE, **values}


class Cases(seed.Statements):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        number = cls.machine.number
        cls.blank, cls.old, cls.hdd, cls.system = (
            seed.disk_key(number, index, name)
            for index, name in enumerate(("nvme0n1", "nvme1n1", "sda", "sdb"))
        )

    def judge(self, rows):
        for what, change, assignment, wanted in rows:
            inventory = copy.deepcopy(self.machine.told)
            change(inventory)
            told = self.machine.call("PUT", "/inventory", inventory)
            self.assertEqual(told.status, 200, (what, told))
            answer = self.here.approve(self.machine, True, **assignment)
            with self.subTest(what):
                fields = [one["field"] for one in answer.json.get("errors", [])]
                self.assertEqual(" ".join(fields), wanted, answer)
                self.assertEqual(answer.status, 409 if wanted else 200, answer)
                if wanted:
                    reasons = answer.json["details"]["reasons"]
                    self.assertEqual(len(reasons), len(fields))
                    continue
                code, said = seed.checked_node_yaml(answer.json["nodeYaml"], self.here.folder)
                self.assertEqual(code, 0, said)

    def judge_keys(self, wanted, *rows):
        """Rows of (what, change, disks)."""
        self.judge([(what, change, {"disks": disks}, wanted) for what, change, disks in rows])

    def judge_links(self, wanted, *rows):
        """Rows of (what, change, links after storage and overlay)."""
        self.judge(
            [(what, change, {"links": [*LINKS, *links]}, wanted) for what, change, links in rows]
        )

    def test_a_key_names_one_disk_for_certain(self):
        eui = BY_ID + "nvme-" + self.blank
        self.judge_keys(
            "disks[0].key",
            ("kernel path", same, [compute("/dev/nvme0n1")]),
            ("kernel name", same, [compute("nvme0n1")]),
            ("by-path", same, [compute("/dev/disk/by-path/pci-0000:00:1f.2-ata-1")]),
            ("out of by-id", same, [compute(BY_ID + "../../nvme0n1")]),
            ("with a line break", same, [compute(self.blank + "\n")]),
            ("with a blank", same, [compute(" " + self.blank)]),
            ("of two", another_disk(name="sdz", path="/dev/sdz"), [compute(self.blank)]),
            ("of another's path", of_disk("sda", wwn="", byId=[eui]), [compute(eui)]),
            (
                "a partition's",
                of_disk("nvme0n1", byId=[eui, eui + "-part1"]),
                [compute(eui + "-part1")],
            ),
            (
                "a volume's",
                of_disk("sda", wwn="", byId=[BY_ID + "dm-name-vg0-lv0"]),
                [osd(BY_ID + "dm-name-vg0-lv0")],
            ),
            (
                "a placeholder",
                of_disk("sda", wwn="0x0000000000000000", byId=[BY_ID + "wwn-0x0000000000000000"]),
                [osd("0x0000000000000000")],
            ),
            (
                "a serial that all have",
                of_disk("sda", wwn="", serial="00000000", byId=[BY_ID + "ata-QEMU_00000000"]),
                [osd(BY_ID + "ata-QEMU_00000000")],
            ),
        )
        self.judge_keys(
            "",
            ("its WWN in capitals", same, [osd(self.hdd.upper().replace("0X", "0x"))]),
            ("the WWN's path alone", of_disk("sda", byId=[]), [osd(BY_ID + "wwn-" + self.hdd)]),
        )
        self.judge_keys(
            "disks[1].key", ("one disk by two keys", same, [compute(self.blank), compute(eui)])
        )

    def test_a_disk_that_may_not_be_used_is_refused_whatever_is_confirmed(self):
        key, mine = self.hdd, [osd(self.hdd, confirm=self.hdd)]
        stack = [{"name": "md9", "path": "/dev/md9", "kind": "md", "members": ["sda", "sdb"]}]
        self.judge_keys(
            "disks[0].key",
            ("mounted", of_disk("sda", mounted=True), mine),
            ("mounts alone", of_disk("sda", mounts=[{"path": "/srv", "device": "/dev/sda"}]), mine),
            ("swap", of_disk("sda", swap=True), mine),
            ("the system's", same, [osd(self.system, confirm=self.system)]),
            ("unusable", of_disk("sda", unusable="fails its self-test"), mine),
            ("read-only", of_disk("sda", readOnly=True), mine),
            ("USB", of_disk("sda", transport="USB"), mine),
            ("SD card", of_disk("sda", transport="sd"), mine),
            ("a byte too small", of_disk("sda", sizeBytes=8 * GIB - 1), mine),
            ("no size", of_disk("sda", sizeBytes=0), mine),
            ("in a stack with the system", of_disk("sda", stack=stack), mine),
            ("as only the system says", of_disk("sdb", stack=stack), mine),
            ("the system in its closure", of_disk("sda", closure=["/dev/sdb"]), mine),
            ("in the system's closure", of_disk("sdb", closure=["/dev/sda"]), mine),
            ("optical", of_disk("sda", name="sr0"), mine),
            ("loop", of_disk("sda", name="loop0"), mine),
            ("eMMC boot area", of_disk("sda", name="mmcblk0boot0"), mine),
        )
        self.judge_keys(
            "",
            ("8 GiB", of_disk("sda", sizeBytes=8 * GIB), [osd(key)]),
            ("2^63 - 1 bytes", of_disk("sda", sizeBytes=(1 << 63) - 1), [osd(key)]),
            ("hot-swap bay", of_disk("sda", transport="sata", removable=True), [osd(key)]),
            (
                "another's stack",
                of_disk("sdb", stack=[{**stack[0], "members": ["sda9"]}]),
                [osd(key)],
            ),
        )

    def test_blank_is_proved_or_confirmed(self):
        part = {"number": 1, "path": "/dev/nvme0n1p1", "start": 1 << 20, "size": GIB}
        md = {"name": "md9", "path": "/dev/md9", "kind": "md", "members": ["nvme0n1", "nvme9n1"]}
        gpt = {"kind": "partition-table", "type": "gpt (backup only)"}
        changes = {
            "not known": without("nvme0n1", "holds"),
            "null": of_disk("nvme0n1", holds=None),
            "a partition": of_disk("nvme0n1", partitions=[part]),
            "a blank partition": of_disk("nvme0n1", partitions=[{**part, "holds": []}]),
            "something on it": of_disk("nvme0n1", partitions=[{**part, "holds": [seed.OLD]}]),
            "an array": of_disk("nvme0n1", stack=[md]),
            "another disk loses": of_disk("nvme0n1", closure=["/dev/sda"]),
            "a table's copy": of_disk("nvme0n1", holds=[gpt]),
            "something without a name": of_disk("nvme0n1", holds=[{"kind": "", "type": ""}]),
        }
        own, rows = self.blank, changes.items()
        bare, confirmed = [compute(own)], [compute(own, confirm=own)]
        self.judge_keys("disks[0].confirm", *((what, change, bare) for what, change in rows))
        self.judge_keys("", *((what, change, confirmed) for what, change in rows))
        old = self.old
        self.judge_keys(
            "disks[0].confirm",
            ("by its other key", same, [compute(old, confirm=BY_ID + "nvme-" + old)]),
            ("in capitals", same, [compute(old, confirm=old.upper())]),
            ("with a blank", same, [compute(old, confirm=old + " ")]),
            ("another's", same, [compute(old, confirm=own)]),
            ("another's for a blank one", same, [compute(own, confirm=old)]),
        )

    def test_devices_have_names_that_linux_and_networkd_take(self):
        bad = ["lo", "br-int", "br-ex", "genev_sys_6081", "ovs-system", "a" * 16, "a/b", "a b"]
        bad += [".", "..", "a:b", "a\tb", "bond%d", "e*", "e?p1s0", "v[0-9]", "!v", "ünder", "-v"]
        bad += ["90", "all", "default", "bonding_masters", "enp5s0"]
        self.judge_links(
            "links[2].interface", *((name, same, [vlan(interface=name)]) for name in bad)
        )
        good = ["a" * 15, "bond0.90", "v-90", "_v", "V90", "br-int2"]
        self.judge_links("", *((name, same, [vlan(interface=name)]) for name in good))

    def test_a_link_has_a_nic_of_its_own_that_is_found_again(self):
        mac = nic(self.machine.told, "enp4s0")["permanentMac"]
        bond7 = {"name": "bond7", "mac": mac, "kind": "bond"}
        bond7["bond"] = {"mode": "802.3ad", "members": ["enp4s0"]}
        self.judge_links(
            "links[2].interface",
            ("none", same, [extra(interface="eth9")]),
            ("used", same, [extra(interface="enp2s0")]),
            ("a bond there is", another_nic(**bond7), [extra(interface="bond7")]),
            ("the BMC's", of_nic("enp4s0", bmc=True), [extra()]),
            ("another name", of_nic("enp4s0", altNames=["eth3"]), [extra(interface="eth3")]),
            ("one MAC twice", of_nic("enp5s0", permanentMac=mac.upper()), [extra()]),
            ("no MAC", of_nic("enp4s0", permanentMac="00:00:00:00:00:00"), [extra()]),
            ("a group's MAC", of_nic("enp4s0", permanentMac="01:00:5e:00:00:01"), [extra()]),
            ("out-of-band", record(oob="enp4s0"), [extra()]),
        )
        self.judge_links(
            "links[2].parent",
            ("one MAC twice", of_nic("enp5s0", permanentMac=mac), [vlan()]),
            ("out-of-band", record(oob="enp4s0"), [vlan()]),
            ("a link's name", same, [vlan(parent="storage")]),
        )
        self.judge_links(
            "",
            ("one MAC twice, unused", of_nic("enp5s0", permanentMac=mac), []),
            ("mgmt is out-of-band", record(oob="enp1s0"), [vlan(parent="enp1s0")]),
        )

    def test_what_stands_on_what_fits(self):
        one, two = member("enp4s0"), member("enp5s0")
        lacp = {**BOND, "bond": {"mode": "802.3ad"}}
        other = {**BOND, "name": "other", "interface": "bond1"}
        hashed = {**BOND, "bond": {"mode": "active-backup", "xmitHashPolicy": "layer2"}}
        fast = {**BOND, "bond": {"mode": "active-backup", "lacpRate": "fast"}}
        slow = {**BOND, "bond": {"mode": "802.3ad", "miimonMs": 10001}}
        over = vlan(name="over", interface="vlan91", parent="vlan90", vlanId=91)
        there = another_nic(name="vlan90", mac="52:54:00:77:09:01", kind="vlan", vlanId=91)
        for wanted, *links in (
            ("", lacp, one),
            ("links[2].bond", BOND),
            ("links[2].bond.xmitHashPolicy", hashed, one),
            ("links[2].bond.lacpRate", fast, one),
            ("links[2].bond.miimonMs", slow, one),
            ("links[5].interface", BOND, one, other, member("enp4s0", "bond1")),
            ("links[3].parent", vlan(), over),
            ("links[4].parent", BOND, one, vlan()),
            ("links[3].vlanId", vlan(), vlan(name="twin", interface="vlan91")),
            ("", vlan(), vlan(name="twin", interface="vlan91", parent="enp3s0")),
            ("links[2].vlanId", vlan(parent="enp1s0", vlanId=30)),
            ("", vlan(vlanId=30)),
            ("links[2].vlanId", vlan(vlanId=0)),
            ("links[2].vlanId", vlan(vlanId=4095)),
            ("links[2].vlanId", extra(vlanId=5)),
            ("links[2].parent", extra(parent="enp5s0")),
            ("", BOND, two),
        ):
            self.judge_links(wanted, (str(links), same, links))
        speeds = all_of(of_nic("enp4s0", speedMbps=1000), of_nic("enp5s0", speedMbps=10000))
        self.judge_links("links[2].bond.mode", ("two speeds", speeds, [lacp, one, two]))
        self.judge_links("links[2].interface", ("made otherwise", there, [vlan()]))

    def test_addresses_are_hosts_of_the_network_and_free(self):
        bad = ["fd00::5/64", "10.77.10.5", "10.77.10.5/25", "10.77.10.0/24", "10.77.10.255/24"]
        bad += ["10.77.10.254/24", "10.77.10.2/24", "10.77.10.1/24", "10.77.010.5/24"]
        bad += [" 10.77.10.5/24", "10.77.10.5/24 ", "10.77.10.5/33", "10.77.10.5/+24"]
        bad += ["10.77.20.9/24", "0.0.0.0/0", "10.77.10.5/24\n10.77.10.6/24", "10.77.10.٥/24"]
        rows = [(text, same, {"links": [storage(addresses=[text]), OVERLAY]}) for text in bad]
        self.judge([(*row, "links[0].addresses[0]") for row in rows])
        both = storage(purposes=["storage", "overlay"])
        for wanted, *links in (
            ("", storage(addresses=["10.77.10.253/24"]), OVERLAY),
            ("", {**both, "addresses": ["10.77.10.9/24", "10.77.20.9/24"]}),
            ("links[0].addresses", {**both, "addresses": ["10.77.10.9/24"]}),
            ("links[0].addresses[1]", storage(addresses=["10.77.10.5/24"] * 2), OVERLAY),
            ("links[1].addresses[0]", STORAGE, {**OVERLAY, "addresses": ["10.77.10.9/24"]}),
            ("links[2].addresses[0]", *LINKS, extra(addresses=["10.77.0.1/24"])),
            (
                "links[2].addresses[0]",
                *LINKS,
                extra(purposes=["provider"], addresses=["192.0.2.9/24"]),
            ),
        ):
            self.judge([(str(links), same, {"links": links}, wanted)])

    def test_mgmt_is_an_address_that_others_reach(self):
        bad = ["10.77.0.0/24", "10.77.0.255/24", "10.77.0.1/24", "10.77.10.2/24", "0.0.0.0/8"]
        bad += ["127.0.0.1/8", "224.0.0.9/24", "169.254.9.9/16", "10.77.0.77/0", "10.77.0.77/33"]
        bad += ["010.77.0.77/24", "10.77.0.77/24/24", "10.77.0.77"]
        bad6 = ["::1/128", "::/64", "ff02::1/64", "2001:db8::/64", "fe80::5/64", "2001:db8::5%e/64"]
        pairs = [(text, "10.77.0.254") for text in bad] + [(text, "fe80::1") for text in bad6]
        for text, gateway in pairs:
            mgmt = {"address": text, "gateway": gateway}
            answer = self.here.approve(self.machine, True, mgmt=mgmt)
            fields = [one["field"] for one in answer.json.get("errors", [])]
            self.assertIn("mgmt.address", fields, (text, answer))
        for wanted, mgmt in (
            ("", {"address": "10.77.0.77/24", "gateway": "10.77.0.1"}),
            ("", {"address": "10.78.0.0/31", "gateway": "10.78.0.1"}),
            ("", {"address": "10.78.0.9/32", "gateway": "10.99.0.1"}),
            ("", {"address": "2001:db8::5/64", "gateway": "fe80::1"}),
            ("mgmt.gateway", {"address": "10.77.0.77/24", "gateway": "10.77.0.255"}),
            ("mgmt.gateway", {"address": "10.77.0.77/24", "gateway": "10.77.0.77"}),
            ("mgmt.gateway", {"address": "10.77.0.77/24", "gateway": "10.78.0.1"}),
        ):
            self.judge([(str(mgmt), same, {"mgmt": mgmt}, wanted)])

    def test_names_are_labels_that_nobody_else_has(self):
        bad = ["Node_1", "a" * 64, "-a", "a-", "a.b", "nöde", "Alpha", "alpha", "a\n", " a"]
        bad += ["localhost", "n-alpha"]
        self.judge([(name, same, {"name": name}, "name") for name in bad])
        good = ["a" * 63, "123", "yes", "null", "no", "1e3", "0x10", "012", "n"]
        self.judge([(name, same, {"name": name}, "") for name in good])
        self.judge([(rack, same, {"rack": rack}, "rack") for rack in ("a b", "A", "r.1", '"')])
        self.judge([(rack, same, {"rack": rack}, "") for rack in ("yes", "null", "012")])
        servers = ["300.1.1.1", "-bad.example", "a..b", " x", "0.0.0.0", "224.0.1.1", "[::1]"]
        self.judge([(one, same, {"ntpServers": [one]}, "ntpServers[0]") for one in servers])
        servers = ["dns.example", "0.0.0.0", "255.255.255.255", "127.0.0.53", "::", "ff02::1"]
        self.judge([(one, same, {"mgmt": {"dns": [one]}}, "mgmt.dns[0]") for one in servers])

    def test_the_mgmt_nic_and_the_uplink_are_what_they_should_be(self):
        mac = nic(self.machine.told, "enp1s0")["permanentMac"]
        self.judge(
            [
                ("its MAC twice", of_nic("enp4s0", permanentMac=mac), {}, "mgmt.interface"),
                ("down", of_nic("enp1s0", state="down"), {}, "mgmt.interface"),
                ("the BMC's", of_nic("enp1s0", bmc=True), {}, "mgmt.interface"),
                (
                    "no NIC at all",
                    lambda told: told.update(founderInterface=""),
                    {},
                    "mgmt.interface",
                ),
                ("uplink down", same, {"provider": {"upstreamInterface": "enp5s0"}}, ""),
            ]
        )
        uplink = "provider.upstreamInterface"
        for name, change in (
            ("eth9", same),
            ("enp2s0", same),
            ("enp4s0", record(oob="enp4s0")),
            ("enp4s0", of_nic("enp5s0", permanentMac=nic(self.machine.told, "enp4s0")["mac"])),
        ):
            self.judge([(name, change, {"provider": {"upstreamInterface": name}}, uplink)])

    def test_a_device_that_is_there_twice_is_no_inventory(self):
        for field, change in (
            ("nics[5]", another_nic(name="enp2s0", mac="52:54:00:77:09:02")),
            ("disks[4]", another_disk()),
        ):
            inventory = copy.deepcopy(self.machine.told)
            change(inventory)
            answer = self.machine.call("PUT", "/inventory", inventory)
            self.assertEqual((answer.status, answer.code), (400, "INVALID_INPUT"), answer)
            self.assertEqual([one["field"] for one in answer.json["errors"]], [field])


if __name__ == "__main__":
    unittest.main()
