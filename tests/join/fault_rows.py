"""The rows of test_faults.py: what is changed in a good approval, and every problem it then has."""

OLD = {
    "usage": "filesystem",
    "type": "ext4",
    "label": "old",
    "uuid": "807ddf67-3f92-4962-87af-fa4cf380c78d",
}

# The machine of all rows, as machine.write makes it.
MACHINE = {
    "disks": [
        {"name": "nvme0n1", "gib": 1000},
        {"name": "nvme1n1", "gib": 1000, "signatures": [OLD]},
        {"name": "sda", "gib": 4000, "rotational": True},
        {"name": "sdb", "gib": 4000, "rotational": True, "block": 4096},
        {"name": "sdc", "gib": 4},
        {"name": "sdd", "gib": 500, "read_only": True},
        {"name": "sde", "gib": 500, "serial": ""},
        {"name": "sdf", "gib": 500, "read": False},
        {"name": "sdg", "gib": 64},
        {"name": "sdh", "gib": 500},
        {"name": "sdi", "gib": 500},
        {"name": "sdj", "gib": 500},
        {"name": "sdk", "gib": 500},
        {"name": "sdl", "gib": 500},
    ],
    "nics": [
        {"name": "enp1s0"},
        {"name": "enp2s0"},
        {"name": "enp3s0"},
        {"name": "enp4s0", "speed": 25000},
        {"name": "enp5s0", "speed": 1000, "max_mtu": 1500, "up": False},
    ],
}
# What a captured folder of plain disks cannot show, as discovery says it of a real machine.
REPORTED = {
    "sdg": {"transport": "usb"},
    "sdh": {"system": True},
    "sdi": {"swap": True},
    "sdj": {"mounted": True, "mounts": [{"path": "/srv", "device": "/dev/mapper/data"}]},
    "sdk": {"closure": ["/dev/sdh"]},
    "sdl": {"unusable": "is one path of the multipath device mpatha: use 0x5000c50100000099"},
}
BLANK = "eui.0025385000100000000a"
HOLDS = "eui.0025385000100000001a"
SPINNING, BLOCKS4K, SMALL = "0x5000c50100000002", "0x5000c50100000003", "0x5000c50100000004"
READ_ONLY, UNREAD = "0x5000c50100000005", "0x5000c50100000007"
USB, SYSTEM, SWAP = "0x5000c50100000008", "0x5000c50100000009", "0x5000c5010000000a"
MOUNTED, SHARED, PATH = "0x5000c5010000000b", "0x5000c5010000000c", "0x5000c5010000000d"

PROVIDER = (
    "provider: {topology: bridged, vlan: 30, upstreamInterface: enp1s0, upstreamPurpose: mgmt}\n"
)
CLUSTER = """\
  vips: [10.77.0.240, 10.77.10.240]
  allowNoCompute: false
"""

GOOD = {
    "assignment": {
        "name": "beta",
        "mgmt": {"interface": "enp1s0", "address": "10.77.0.50"},
        "links": [
            {"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]},
            {"name": "spare", "interface": "enp3s0"},
        ],
        "disks": [
            {"key": BLANK, "pool": "fast"},
            {"key": HOLDS, "pool": "fast", "confirm": HOLDS},
        ],
    },
}
BESIDE = {"copyFrom", "pairingCode", "assignment", "extra"}  # stand beside the assignment

BOND = {"name": "bond", "kind": "bond", "interface": "bond0", "bond": {"mode": "802.3ad"}}
MEMBER = {"name": "one", "interface": "enp3s0", "controller": "bond0"}
VLAN = {"name": "vlan", "kind": "vlan", "interface": "vlan30", "parent": "enp3s0", "vlanId": 30}

VLAN2 = {"name": "vlan2", "kind": "vlan", "interface": "vlan40", "parent": "enp3s0", "vlanId": 40}

CHOICES = (
    "this machine has enp1s0 (up, 10 Gb/s), enp2s0 (up, 10 Gb/s), enp3s0 (up, 10 Gb/s), "
    "enp4s0 (up, 25 Gb/s), enp5s0 (down)"
)

DECODE = [
    ({"assignment": []}, [("assignment", "must be an object, found a list")]),
    ({"extra": 1}, [("extra", "unknown")]),
    ({"copyFrom": 7}, [("copyFrom", "must be a string, found the number 7; put it in quotes")]),
    ({"pairingCode": True}, [("pairingCode", "must be a string, found true; put it in quotes")]),
    ({"name": 7}, [("name", "must be a string, found the number 7; put it in quotes")]),
    ({"nam": "beta"}, [("nam", "unknown; did you mean name")]),
    ({"role": "boss"}, [("role", '"boss" is not one of: hybrid, control-plane, compute, storage')]),
    (
        {"role": "hybird"},
        [
            (
                "role",
                '"hybird" is not one of: hybrid, control-plane, compute, storage; did you '
                "mean hybrid",
            )
        ],
    ),
    ({"rack": ["a"]}, [("rack", "must be a string, found a list")]),
    ({"mgmt": "enp1s0"}, [("mgmt", "must be an object, found a string")]),
    ({"mgmt.addres": "10.77.0.50"}, [("mgmt.addres", "unknown; did you mean address")]),
    ({"mgmt.dns": "10.77.0.1"}, [("mgmt.dns", "must be a list, found a string")]),
    ({"mgmt.dns": ["10.77.0.1", 7]}, [("mgmt.dns[1]", "must be a string, found a whole number")]),
    ({"links": {}}, [("links", "must be a list, found an object")]),
    ({"links[1]": "enp3s0"}, [("links[1]", "must be an object, found a string")]),
    (
        {"links[1].kind": "ehternet"},
        [
            (
                "links[1].kind",
                '"ehternet" is not one of: ethernet, bond, vlan; did you mean ethernet',
            )
        ],
    ),
    ({"links[1].mtu": "9000"}, [("links[1].mtu", "must be a whole number, found a string")]),
    (
        {"links[1].mtu": 1500.5},
        [("links[1].mtu", "must be a whole number, found a number with a fraction")],
    ),
    (
        {"links[1].purposes": ["stroage"]},
        [
            (
                "links[1].purposes[0]",
                '"stroage" is not one of: oob, mgmt, storage, overlay, provider; did you '
                "mean storage",
            )
        ],
    ),
    ({"links[1].purposes": "storage"}, [("links[1].purposes", "must be a list, found a string")]),
    (
        {"links[1].addresses": [7]},
        [("links[1].addresses[0]", "must be a string, found a whole number")],
    ),
    ({"links[1].vlanId": "30"}, [("links[1].vlanId", "must be a whole number, found a string")]),
    ({"links[1].bond": []}, [("links[1].bond", "must be an object, found a list")]),
    (
        {"links[1].bond": {"mode": "lacp"}},
        [
            (
                "links[1].bond.mode",
                '"lacp" is not one of: active-backup, 802.3ad, balance-xor, balance-rr, '
                "balance-tlb, balance-alb, broadcast",
            )
        ],
    ),
    (
        {"links[1].bond": {"mode": "802.3ad", "lacpRate": "fats"}},
        [("links[1].bond.lacpRate", '"fats" is not one of: slow, fast; did you mean fast')],
    ),
    (
        {"links[1].bond": {"mode": "802.3ad", "xmitHashPolicy": "layer4"}},
        [
            (
                "links[1].bond.xmitHashPolicy",
                '"layer4" is not one of: layer2, layer2+3, layer3+4, encap2+3, encap3+4, '
                "vlan+srcmac; did you mean layer2",
            )
        ],
    ),
    (
        {"links[1].bond": {"mode": "802.3ad", "miimonMs": "100"}},
        [("links[1].bond.miimonMs", "must be a whole number, found a string")],
    ),
    ({"links[1].speed": 10}, [("links[1].speed", "unknown")]),
    ({"disks": "all"}, [("disks", "must be a list, found a string")]),
    (
        {"disks[0].key": None},
        [("disks[0].key", "missing: the disk's WWN or one of its /dev/disk/by-id paths")],
    ),
    (
        {"disks[0].key": ""},
        [("disks[0].key", "is empty: the disk's WWN or one of its /dev/disk/by-id paths")],
    ),
    ({"disks[0].role": "osd"}, [("disks[0].role", '"osd" is not one of: compute, ceph-osd')]),
    (
        {"disks[0].confirm": True},
        [("disks[0].confirm", "must be a string, found true; put it in quotes")],
    ),
    ({"disks[0].wipe": True}, [("disks[0].wipe", "unknown")]),
    ({"ntpServers": "ntp.example.org"}, [("ntpServers", "must be a list, found a string")]),
    (
        {"provider": {"topology": "switched"}},
        [("provider.topology", '"switched" is not one of: bridged, routed')],
    ),
    ({"provider": {"vlan": "30"}}, [("provider.vlan", "must be a whole number, found a string")]),
    (
        {"name": 7, "links[1].mtu": "x", "disks[0].key": None, "extra": 1},
        [
            ("name", "must be a string, found the number 7; put it in quotes"),
            ("links[1].mtu", "must be a whole number, found a string"),
            ("disks[0].key", "missing: the disk's WWN or one of its /dev/disk/by-id paths"),
            ("extra", "unknown"),
        ],
    ),
]

REFUSED = [
    (
        {"copyFrom": "n-nobody"},
        [
            (
                "copyFrom",
                'no node n-nobody; nodes to copy from: n-alpha (alpha); "none" copies nothing',
            )
        ],
    ),
    (
        {"pairingCode": "222-222"},
        [
            (
                "pairingCode",
                '"222-222" is not the pairing code of this join; type the code that the '
                "machine's own console shows, and approve only the machine that shows it",
            )
        ],
    ),
    (
        {"name": "Beta_1"},
        [
            (
                "name",
                '"Beta_1" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at '
                "either end",
            )
        ],
    ),
    ({"name": "alpha"}, [("name", "alpha is the name of node n-alpha; choose another")]),
    (
        {"role": "storage"},
        [
            (
                "role",
                "storage nodes are not supported yet; the role must be hybrid (control "
                "plane, compute and storage together)",
            )
        ],
    ),
    (
        {"rack": "rack 1"},
        [
            (
                "rack",
                '"rack 1" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at '
                "either end",
            )
        ],
    ),
    (
        {"az": "-"},
        [("az", '"-" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end')],
    ),
    (
        {"mgmt.interface": "eth0", "provider": {"upstreamInterface": "enp1s0"}},
        [("mgmt.interface", "no NIC, bond or VLAN eth0; " + CHOICES)],
    ),
    (
        {"mgmt.interface": "enp3s0", "provider": {"upstreamInterface": "enp1s0"}},
        [
            (
                "mgmt.interface",
                "enp3s0 does not hold 10.77.0.50, enp1s0 does; name enp1s0, or give "
                "mgmt.address with its prefix length and mgmt.gateway, new on enp3s0",
            )
        ],
    ),
    (
        {"mgmt": {"interface": "enp5s0", "address": "10.77.0.51/24", "gateway": "10.77.0.1"}},
        [("mgmt.interface", "enp5s0 has no carrier; plug it in, or choose another: " + CHOICES)],
    ),
    (
        {"mgmt.address": "10.77.0.500"},
        [
            (
                "mgmt.address",
                '"10.77.0.500" is neither an address nor an address with prefix length, such '
                "as 10.77.0.11/24",
            )
        ],
    ),
    (
        {"mgmt.address": "10.77.0.51"},
        [
            (
                "mgmt.address",
                "10.77.0.51 is new on enp1s0, so its prefix length is needed: 10.77.0.51/…, "
                "and mgmt.gateway",
            )
        ],
    ),
    (
        {"mgmt.address": "10.77.0.51/24"},
        [("mgmt.address", "10.77.0.51/24 is new on enp1s0, so mgmt.gateway is needed too")],
    ),
    (
        {"mgmt.address": "10.77.0.255/24", "mgmt.gateway": "10.77.0.1"},
        [
            (
                "mgmt.address",
                "10.77.0.255/24 is the broadcast address of 10.77.0.0/24; a node needs a "
                "host address",
            )
        ],
    ),
    (
        {"mgmt.address": "10.77.0.1/24", "mgmt.gateway": "10.77.0.2"},
        [("mgmt.address", "10.77.0.1 is taken: node alpha has it")],
    ),
    (
        {"mgmt.address": "10.77.0.240/24", "mgmt.gateway": "10.77.0.1"},
        [("mgmt.address", "10.77.0.240 is taken: a virtual address of the cluster has it")],
    ),
    (
        {"mgmt.gateway": "router"},
        [("mgmt.gateway", '"router" is not an address, such as 10.77.0.1 or fd00::1')],
    ),
    (
        {"mgmt.gateway": "10.78.0.1"},
        [("mgmt.gateway", "10.78.0.1 is not in 10.77.0.0/24, the subnet of 10.77.0.50")],
    ),
    (
        {"mgmt.gateway": "10.77.0.50"},
        [("mgmt.gateway", "10.77.0.50 is the node's own address; a gateway is another machine")],
    ),
    (
        {"mgmt.dns": ["resolver"]},
        [("mgmt.dns[0]", '"resolver" is not an address, such as 10.77.0.1 or fd00::1')],
    ),
    (
        {"mgmt.dns": ["10.77.0.50"]},
        [("mgmt.dns[0]", "10.77.0.50 is the node's own address; name another machine's")],
    ),
    (
        {"links[1].name": None},
        [("links[1].name", "missing: each link needs a name of its own, such as storage")],
    ),
    (
        {"links[1].name": "two words"},
        [
            (
                "links[1].name",
                '"two words" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at '
                "either end",
            )
        ],
    ),
    (
        {"links[1].name": "data"},
        [("links[1].name", '"data" is also the name of links[0]; each link needs its own')],
    ),
    (
        {"links[1].interface": None},
        [("links[1].interface", "missing: the device's name, such as bond0 or enp1s0")],
    ),
    (
        {"links[1].interface": "a-device-too-long"},
        [
            (
                "links[1].interface",
                '"a-device-too-long" has 17 characters; a device\'s name has at most 15',
            )
        ],
    ),
    (
        {"links[1].interface": "a/b"},
        [("links[1].interface", '"a/b" is no device name: letters, digits, dot, hyphen and underscore, '
          "not digits alone, no hyphen in front")],
    ),
    (
        {"links[1].interface": "lo"},
        [("links[1].interface", "lo is the loopback device; name a NIC, a bond or a VLAN")],
    ),
    (
        {"links[1].interface": "br-int"},
        [
            (
                "links[1].interface",
                "br-int is a name that the platform uses itself (br-int, br-ex, genev*, "
                "ovs-*); choose another",
            )
        ],
    ),
    ({"links[1].interface": "enp9s0"}, [("links[1].interface", "no NIC enp9s0; " + CHOICES)]),
    (
        {"links[1].interface": "enp2s0"},
        [("links[1].interface", "enp2s0 is already used by link data; one link for each NIC")],
    ),
    (
        {"links[1].parent": "enp4s0"},
        [("links[1].parent", "only a VLAN has a parent, and this link is of kind ethernet")],
    ),
    (
        {"links[1].vlanId": 7},
        [("links[1].vlanId", "only a VLAN has an id, and this link is of kind ethernet")],
    ),
    (
        {"links[1].controller": "bond0"},
        [("links[1].controller", "no bond bond0; the bonds there are: none")],
    ),
    (
        {"links[1].bond": {"mode": "802.3ad"}},
        [("links[1].bond", "only a link of kind bond has one, and this link is of kind ethernet")],
    ),
    (
        {"links[1]": VLAN, "links[1].parent": None},
        [
            (
                "links[1].parent",
                "missing: the NIC or bond that the VLAN stands on; "
                + CHOICES
                + "; the bonds there are: none",
            )
        ],
    ),
    (
        {"links[1]": VLAN, "links[1].parent": "enp9s0"},
        [("links[1].parent", "no NIC or bond enp9s0; " + CHOICES + "; the bonds there are: none")],
    ),
    (
        {"links[1]": VLAN, "links[1].vlanId": None},
        [("links[1].vlanId", "missing: a VLAN's id, 1-4094")],
    ),
    ({"links[1]": VLAN, "links[1].vlanId": 4095}, [("links[1].vlanId", "4095 is outside 1-4094")]),
    (
        {"links[1]": VLAN, "links[1].vlanId": 40, "links[2]": VLAN2},
        [("links[2].vlanId", "40 is already on enp3s0: link vlan")],
    ),
    (
        {"links[1]": VLAN, "links[1].parent": "enp1s0"},
        [
            (
                "links[1].vlanId",
                "30 is the provider network's VLAN on the uplink enp1s0; VM traffic has it "
                "there, so this link needs another id or parent",
            )
        ],
    ),
    (
        {"links[1]": VLAN, "links[1].interface": "enp4s0", "links[1].vlanId": 40},
        [("links[1].interface", "enp4s0 is a NIC of this machine; a vlan needs a name of its own")],
    ),
    (
        {"links[1]": BOND},
        [("links[1].bond", "no member: list the NICs as ethernet links with controller bond0")],
    ),
    (
        {"links[1]": BOND, "links[1].bond": None, "links[2]": MEMBER},
        [
            (
                "links[1].bond",
                "missing: how the bond works; mode is one of active-backup, 802.3ad, "
                "balance-xor, balance-rr, balance-tlb, balance-alb, broadcast",
            )
        ],
    ),
    (
        {"links[1]": BOND, "links[1].bond": {}, "links[2]": MEMBER},
        [
            (
                "links[1].bond.mode",
                "missing: it is one of active-backup, 802.3ad, balance-xor, balance-rr, "
                "balance-tlb, balance-alb, broadcast",
            )
        ],
    ),
    (
        {
            "links[1]": BOND,
            "links[1].bond": {"mode": "active-backup", "xmitHashPolicy": "layer2"},
            "links[2]": MEMBER,
        },
        [
            (
                "links[1].bond.xmitHashPolicy",
                "mode active-backup has no hash policy; it goes with balance-xor, 802.3ad, "
                "balance-tlb",
            )
        ],
    ),
    (
        {
            "links[1]": BOND,
            "links[1].bond": {"mode": "active-backup", "lacpRate": "fast"},
            "links[2]": MEMBER,
        },
        [("links[1].bond.lacpRate", "mode active-backup speaks no LACP; it goes with 802.3ad")],
    ),
    (
        {"links[1]": BOND, "links[1].bond.miimonMs": 10001, "links[2]": MEMBER},
        [("links[1].bond.miimonMs", "10001 is outside 0-10000 (milliseconds)")],
    ),
    (
        {
            "links[1]": BOND,
            "links[2]": MEMBER,
            "links[3]": {"name": "two", "interface": "enp4s0", "controller": "bond0"},
        },
        [
            (
                "links[1].bond.mode",
                "802.3ad needs members of one speed; these are enp3s0 (up, 10 Gb/s), enp4s0 "
                "(up, 25 Gb/s)",
            )
        ],
    ),
    (
        {
            "links[1]": BOND,
            "links[2]": MEMBER,
            "links[2].purposes": ["provider"],
            "provider": {"upstreamInterface": "enp1s0"},
        },
        [
            (
                "links[2].purposes[0]",
                "a member of bond0 carries nothing itself; give provider to the bond or a "
                "VLAN on it",
            )
        ],
    ),
    (
        {"links[1]": BOND, "links[2]": MEMBER, "links[2].addresses": ["10.77.10.9/24"]},
        [
            (
                "links[2].addresses[0]",
                "a member of bond0 has no address; the bond or a VLAN on it has",
            )
        ],
    ),
    (
        {"links[1]": BOND, "links[2]": MEMBER, "links[3]": VLAN, "links[3].vlanId": 40},
        [("links[3].parent", "enp3s0 is a member of bond0; put the VLAN on bond0")],
    ),
    (
        {"links[0].purposes": ["overlay"]},
        [
            (
                "links",
                "no link carries storage, which every node needs (network storage, "
                "10.77.10.0/24); give one link the purpose storage",
            )
        ],
    ),
    (
        {"links[0].purposes": ["storage", "overlay", "storage"]},
        [("links[0].purposes[2]", "storage is named twice")],
    ),
    (
        {"links[1].purposes": ["storage"]},
        [("links", "the links data, spare all carry storage; one link carries it")],
    ),
    (
        {"links[1].purposes": ["oob"]},
        [
            (
                "links[1].purposes[0]",
                "oob is the NIC that stage 1 fixed, and is not listed; take it out",
            )
        ],
    ),
    (
        {"links[1].purposes": ["mgmt"]},
        [
            (
                "links[1].purposes[0]",
                "mgmt is set in mgmt.interface and mgmt.address, not as a link's purpose; "
                "take it out",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.9"]},
        [
            (
                "links[0].addresses[0]",
                '"10.77.10.9" is not an IPv4 address with its prefix length, such as '
                "10.77.10.11/24",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.0/24", "10.77.20.9/24"]},
        [
            (
                "links[0].addresses[0]",
                "10.77.10.0/24 is the network's own address of 10.77.10.0/24; a node needs a "
                "host address",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.9/16", "10.77.20.9/24"]},
        [
            (
                "links[0].addresses[0]",
                "10.77.10.9/16 has another prefix length than network storage; write "
                "10.77.10.9/24",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.99.10.9/24", "10.77.10.9/24", "10.77.20.9/24"]},
        [
            (
                "links[0].addresses[0]",
                "10.99.10.9/24 is in none of the networks that this link carries: storage "
                "(storage, 10.77.10.0/24), overlay (overlay, 10.77.20.0/24)",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.1/24", "10.77.20.9/24"]},
        [
            (
                "links[0].addresses[0]",
                "10.77.10.1 is taken: node alpha has it; leave addresses out and the founder "
                "picks a free one",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.240/24", "10.77.20.9/24"]},
        [
            (
                "links[0].addresses[0]",
                "10.77.10.240 is taken: a virtual address of the cluster has it; leave "
                "addresses out and the founder picks a free one",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.9/24"]},
        [
            (
                "links[0].addresses",
                "none is in network overlay (10.77.20.0/24), which this link carries; add "
                "one, or leave addresses out and the founder picks them all",
            )
        ],
    ),
    (
        {"links[0].addresses": ["10.77.10.9/24", "10.77.20.9/24", "10.77.20.9/24"]},
        [("links[0].addresses[2]", "10.77.20.9 is given twice: link data has it too")],
    ),
    (
        {"links[1].purposes": ["provider"], "links[1].addresses": ["192.0.2.9/24"]},
        [
            (
                "links[1].addresses[0]",
                "a link that carries provider only has no address; VM traffic passes through " "it",
            )
        ],
    ),
    ({"links[1].mtu": 575}, [("links[1].mtu", "575 is outside 576-9216")]),
    ({"links[1].mtu": 9601}, [("links[1].mtu", "9601 is outside 576-9216")]),
    (
        {"links[1].interface": "enp5s0", "links[1].mtu": 9000},
        [("links[1].mtu", "9000 is past 1500, the most that enp5s0 can have")],
    ),
    (
        {"links[0].mtu": 1400},
        [("links[0].mtu", "1400 is less than network storage (storage) needs: 1500")],
    ),
    (
        {"disks[0].key": "eui.00000000000000ff"},
        [
            (
                "disks[0].key",
                "no disk has the key “eui.00000000000000ff”; the keys there are: "
                "0x5000c50100000002, 0x5000c50100000003, 0x5000c50100000004, "
                "0x5000c50100000005, 0x5000c50100000007, 0x5000c50100000008, "
                "0x5000c50100000009, 0x5000c5010000000a, 0x5000c5010000000b, "
                "0x5000c5010000000c, 0x5000c5010000000d, eui.0025385000100000000a, "
                "eui.0025385000100000001a",
            )
        ],
    ),
    (
        {"disks[0].key": "/dev/nvme0n1"},
        [
            (
                "disks[0].key",
                "“/dev/nvme0n1” is a kernel name, and those change: name this disk "
                "eui.0025385000100000000a",
            )
        ],
    ),
    (
        {"disks[0].key": "sde"},
        [
            (
                "disks[0].key",
                "“sde” is a kernel name, and those change: it has no WWN and no serial "
                "number of its own, so nothing names it for certain: give it one (a virtual "
                "machine's disk serial, disk.EnableUUID) and start again",
            )
        ],
    ),
    (
        {"disks[1]": {"key": "/dev/disk/by-id/nvme-eui.0025385000100000000a", "pool": "fast"}},
        [
            (
                "disks[1].key",
                "/dev/nvme0n1 is named twice: disks[0] has it as eui.0025385000100000000a",
            )
        ],
    ),
    (
        {"disks[0].key": SMALL},
        [("disks[0].key", "/dev/sdc is too small: 4.0 GiB, at least 8.0 GiB are needed")],
    ),
    ({"disks[0].key": READ_ONLY}, [("disks[0].key", "/dev/sdd is read-only")]),
    (
        {"disks[0].key": USB},
        [
            (
                "disks[0].key",
                "/dev/sdg is on USB (a stick, an external disk or a BMC's virtual media)",
            )
        ],
    ),
    (
        {"disks[0].key": SYSTEM},
        [
            (
                "disks[0].key",
                "/dev/sdh is a system disk: this machine's system, its state or its boot "
                "partition is on it",
            )
        ],
    ),
    (
        {"disks[0].key": SWAP},
        [("disks[0].key", "/dev/sdi is in use as swap: swapoff it, or choose another disk")],
    ),
    (
        {"disks[0].key": MOUNTED},
        [("disks[0].key", "/dev/sdj is mounted: /dev/mapper/data at /srv")],
    ),
    (
        {"disks[0].key": SHARED},
        [
            (
                "disks[0].key",
                "/dev/sdk is in one stack with the system disk /dev/sdh, which would break; "
                "choose another",
            )
        ],
    ),
    (
        {"disks[0].key": PATH},
        [
            (
                "disks[0].key",
                "/dev/sdl is one path of the multipath device mpatha: use 0x5000c50100000099",
            )
        ],
    ),
    (
        {"disks[0].key": UNREAD},
        [
            (
                "disks[0].confirm",
                "/dev/sdf is not blank: whatever is on it (not all of it could be read) "
                "would be wiped; to allow that, set confirm to 0x5000c50100000007",
            )
        ],
    ),
    (
        {"disks[1].confirm": None},
        [
            (
                "disks[1].confirm",
                "/dev/nvme1n1 is not blank: ext4 “old” on /dev/nvme1n1 would be wiped; to "
                "allow that, set confirm to eui.0025385000100000001a",
            )
        ],
    ),
    (
        {"disks[1].confirm": "yes"},
        [
            (
                "disks[1].confirm",
                "/dev/nvme1n1 is not blank: ext4 “old” on /dev/nvme1n1 would be wiped; to "
                'allow that, set confirm to eui.0025385000100000001a (it is "yes")',
            )
        ],
    ),
    (
        {"disks[0].confirm": "yes"},
        [
            (
                "disks[0].confirm",
                '"yes" is not this disk\'s key, eui.0025385000100000000a; the disk is blank '
                "and needs no confirmation",
            )
        ],
    ),
    (
        {"disks[0].pool": None},
        [("disks[0].pool", "missing: a compute disk needs a pool, such as default")],
    ),
    (
        {"disks[0].role": "ceph-osd"},
        [("disks[0].pool", "a ceph-osd disk has no pool: Ceph decides; take it out")],
    ),
    (
        {"disks[0].pool": "Fast Disks"},
        [
            (
                "disks[0].pool",
                '"Fast Disks" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at '
                "either end",
            )
        ],
    ),
    (
        {"disks[2]": {"key": SPINNING, "pool": "fast"}},
        [
            (
                "disks[2].pool",
                "pool fast would mix flash (/dev/nvme0n1) and rotational (/dev/sda) disks; "
                "give this one another pool",
            )
        ],
    ),
    (
        {
            "disks[2]": {"key": SPINNING, "pool": "bulk"},
            "disks[3]": {"key": BLOCKS4K, "pool": "bulk"},
        },
        [
            (
                "disks[3].pool",
                "pool bulk would mix block sizes: 512 (/dev/sda) and 4096 (/dev/sdb); give "
                "this one another pool",
            )
        ],
    ),
    (
        {"disks[0].storageClass": "Gold!", "disks[1].storageClass": "Gold!"},
        [
            (
                "disks[0].storageClass",
                '"Gold!" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either '
                "end",
            ),
            (
                "disks[1].storageClass",
                '"Gold!" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either '
                "end",
            ),
        ],
    ),
    (
        {"disks[0].storageClass": "gold", "disks[1].storageClass": "silver"},
        [
            (
                "disks[1].storageClass",
                "pool fast has storage class gold at disks[0] and silver here; one pool has " "one",
            )
        ],
    ),
    (
        {"disks[0]": {"key": BLANK, "role": "ceph-osd", "storageClass": "gold"}},
        [
            (
                "disks[0].storageClass",
                "a ceph-osd disk has no storage class: Ceph decides; take it out",
            )
        ],
    ),
    (
        {"disks": []},
        [
            (
                "disks",
                "none is assigned, and the system has its own disks whole, so there is "
                "nothing to keep VMs on; assign one of 0x5000c50100000002 (/dev/sda, 4.29 "
                "TB), 0x5000c50100000003 (/dev/sdb, 4.29 TB), 0x5000c50100000007 (/dev/sdf, "
                "537 GB), 0x5000c5010000000c (/dev/sdk, 537 GB), eui.0025385000100000000a "
                "(/dev/nvme0n1, 1.07 TB), eui.0025385000100000001a (/dev/nvme1n1, 1.07 TB)",
            )
        ],
    ),
    (
        {"ntpServers": ["not a host"]},
        [
            (
                "ntpServers[0]",
                '"not a host" is neither a host name nor an address, such as ntp.example.org',
            )
        ],
    ),
    (
        {"ntpServers": ["ntp.example.org", "NTP.example.org"]},
        [("ntpServers[1]", "NTP.example.org is given twice; each server once")],
    ),
    (
        {"ntpServers": ["10.0.0.256"]},
        [
            (
                "ntpServers[0]",
                '"10.0.0.256" is neither a host name nor an address, such as ntp.example.org',
            )
        ],
    ),
    (
        {"provider": {"topology": "routed"}},
        [("provider.topology", "routed is not the cluster's; it is bridged for every node")],
    ),
    (
        {"provider": {"vlan": 31}},
        [("provider.vlan", "31 is not the cluster's; it is 30 for every node")],
    ),
    (
        {"provider": {"upstreamInterface": "enp9s0"}},
        [("provider.upstreamInterface", "no NIC or bond enp9s0; " + CHOICES)],
    ),
    (
        {"provider": {"upstreamInterface": "enp2s0"}},
        [
            (
                "provider.upstreamInterface",
                (
                    "link data carries storage, overlay on enp2s0 itself, and a bridged uplink "
                    "would take that away; put it on a VLAN, or choose another NIC: "
                )
                + CHOICES,
            )
        ],
    ),
    (
        {"links[1]": BOND, "links[2]": MEMBER, "provider": {"upstreamInterface": "enp3s0"}},
        [("provider.upstreamInterface", "enp3s0 is a member of bond0; name bond0")],
    ),
]

SEVERAL = [
    (
        {
            "name": "alpha",
            "role": "compute",
            "mgmt.address": "10.77.0.1",
            "links[1].mtu": 9601,
            "links[0].addresses": ["10.77.10.1/24", "x"],
            "disks[1].confirm": "no",
            "disks[0].key": "/dev/nvme0n1",
            "ntpServers": ["a", "a"],
            "pairingCode": "222-222",
        },
        [
            (
                "pairingCode",
                '"222-222" is not the pairing code of this join; type the code that the '
                "machine's own console shows, and approve only the machine that shows it",
            ),
            ("name", "alpha is the name of node n-alpha; choose another"),
            (
                "role",
                "compute nodes are not supported yet; the role must be hybrid (control "
                "plane, compute and storage together)",
            ),
            (
                "mgmt.address",
                "10.77.0.1 is new on enp1s0, so its prefix length is needed: 10.77.0.1/…, "
                "and mgmt.gateway",
            ),
            (
                "links[0].addresses[1]",
                '"x" is not an IPv4 address with its prefix length, such as 10.77.10.11/24',
            ),
            (
                "links[0].addresses[0]",
                "10.77.10.1 is taken: node alpha has it; leave addresses out and the founder "
                "picks a free one",
            ),
            ("links[1].mtu", "9601 is outside 576-9216"),
            (
                "disks[0].key",
                "“/dev/nvme0n1” is a kernel name, and those change: name this disk "
                "eui.0025385000100000000a",
            ),
            (
                "disks[1].confirm",
                "/dev/nvme1n1 is not blank: ext4 “old” on /dev/nvme1n1 would be wiped; to "
                'allow that, set confirm to eui.0025385000100000001a (it is "no")',
            ),
            ("ntpServers[1]", "a is given twice; each server once"),
        ],
    ),
    (
        {"links": [], "disks": []},
        [
            (
                "links",
                "no link carries storage, which every node needs (network storage, "
                "10.77.10.0/24); give one link the purpose storage",
            ),
            (
                "links",
                "no link carries overlay, which every node needs (network overlay, "
                "10.77.20.0/24); give one link the purpose overlay",
            ),
            (
                "disks",
                "none is assigned, and the system has its own disks whole, so there is "
                "nothing to keep VMs on; assign one of 0x5000c50100000002 (/dev/sda, 4.29 "
                "TB), 0x5000c50100000003 (/dev/sdb, 4.29 TB), 0x5000c50100000007 (/dev/sdf, "
                "537 GB), 0x5000c5010000000c (/dev/sdk, 537 GB), eui.0025385000100000000a "
                "(/dev/nvme0n1, 1.07 TB), eui.0025385000100000001a (/dev/nvme1n1, 1.07 TB)",
            ),
        ],
    ),
]
