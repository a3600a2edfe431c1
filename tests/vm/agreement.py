"""Our inventory held against what the tools of the machine say: each shared fact compared and counted.

    found = Agreement()
    compare_disks(found, inventory, lsblk)
    found.differences    # ["/dev/sda: model: ours 'A', lsblk 'B'"]
"""

import collections
import re

# What of lsblk's types is a layer of ours, by kind.
LAYERS = {"lvm": "lvm", "crypt": "crypt", "raid1": "md", "raid5": "md", "raid10": "md"}


class Agreement:
    def __init__(self):
        self.compared = collections.Counter()
        self.differences = []

    def same(self, thing, fact, ours, theirs, tool):
        self.compared[f"{tool}: {fact}"] += 1
        if ours != theirs:
            self.differences.append(f"{thing}: {fact}: ours {ours!r}, {tool} {theirs!r}")

    def has(self, thing, fact, is_there, tool, what):
        self.compared[f"{tool}: {fact}"] += 1
        if not is_there:
            self.differences.append(f"{thing}: {fact}: {tool} has {what!r}, ours has not")


# -- lsblk ---------------------------------------------------------------------------------------


def flat(lsblk):
    """Each device once, by its path, with the kernel names of what it stands on directly."""
    devices = {}

    def visit(nodes, parent):
        for node in nodes:
            device = devices.setdefault(node["path"], dict(node, parents=set()))
            if parent:
                device["parents"].add(parent)
            visit(node.get("children", []), node["kname"])

    visit(lsblk["blockdevices"], None)
    return devices


def kernel_path(device):
    return "/dev/" + device["kname"]


def compare_disks(found, inventory, lsblk):
    devices = flat(lsblk)
    disks = {disk["path"]: disk for disk in inventory["disks"]}
    # A map of several paths is a disk for us; what stands on nothing is one for both.
    theirs = {kernel_path(one) for one in devices.values() if not one["parents"] or one["type"] == "mpath"}
    found.same("the machine", "which disks there are", set(disks), theirs, "lsblk")
    for device in devices.values():
        path = kernel_path(device)
        if path in disks:
            compare_disk(found, disks[path], device)
        for disk in standing_under(device, devices, disks):
            compare_on(found, disk, device, devices)


def standing_under(device, devices, disks):
    by_name = {one["kname"]: one for one in devices.values()}
    seen, todo = set(), [device["kname"]]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += by_name[name]["parents"]
    return [disks["/dev/" + name] for name in sorted(seen) if "/dev/" + name in disks]


def compare_disk(found, disk, device):
    path = disk["path"]
    for ours, theirs in (("sizeBytes", "size"), ("readOnly", "ro"), ("removable", "rm"),
                         ("rotational", "rota"), ("logicalBlockSize", "log-sec")):
        found.same(path, theirs, disk.get(ours), device[theirs], "lsblk")
    for ours, theirs in (("model", "model"), ("serial", "serial"), ("wwn", "wwn"), ("transport", "tran")):
        value = (device[theirs] or "").strip()
        if theirs == "wwn" and value.startswith("nvme."):
            # Made of serial and model, no world-wide name: for us a key like others.
            found.has(path, theirs, f"/dev/disk/by-id/nvme-{value}" in disk["byId"], "lsblk", value)
        elif value:  # where it has none, we may know one
            found.same(path, theirs, disk.get(ours), value, "lsblk")


def holds_on(disk, path):
    return [hold for hold in disk.get("holds", []) if hold["device"] == path]


def compare_on(found, disk, device, devices):
    """What stands on one device of this disk's stack: the disk itself, a partition, a layer."""
    path, thing = kernel_path(device), f"{disk['path']} under {device['name']}"
    holds = holds_on(disk, path)
    if device["fstype"]:
        hold = next((one for one in holds if one["type"] == device["fstype"]), None)
        found.has(thing, "fstype", hold, "lsblk", device["fstype"])
        if hold:
            found.same(thing, "uuid", hold.get("uuid"), device["uuid"], "lsblk")
            # Of a physical volume we say whose it is.
            if hold["kind"] != "lvm":
                found.same(thing, "label", hold.get("label"), device["label"], "lsblk")
    # lsblk gives a partition its disk's table.
    if device["pttype"] and device["type"] not in ("part",):
        tables = [one for one in holds if one["kind"] == "partition-table" and one["type"] == device["pttype"]]
        found.has(thing, "partition table", tables, "lsblk", device["pttype"])
        for table in tables:
            found.same(thing, "table's uuid", table.get("uuid"), device["ptuuid"], "lsblk")
    mounts = {one["path"] for one in disk.get("mounts", []) if one["device"] == path and "pid" not in one}
    theirs = {one for one in device["mountpoints"] if one and one != "[SWAP]"}
    # The kernel names one member of a btrfs as mounted, and uses all.
    if device["fstype"] == "btrfs":
        mounts &= theirs
    found.same(thing, "mountpoints", mounts, theirs, "lsblk")
    if "[SWAP]" in device["mountpoints"]:
        found.has(thing, "swap", disk["swap"], "lsblk", "[SWAP]")
    if device["type"] == "part":
        compare_partition(found, disk, device)
    elif device["type"] in LAYERS:
        compare_layer(found, disk, device)


def compare_partition(found, disk, device):
    path = kernel_path(device)
    # On a multipath map they are layers of the paths.
    if disk["path"] != "/dev/" + next(iter(device["parents"])):
        return
    partition = next((one for one in disk["partitions"] if one["path"] == path), None)
    found.has(path, "partition", partition, "lsblk", device["name"])
    if not partition:
        return
    found.same(path, "size", partition["size"], device["size"], "lsblk")
    if device.get("start") is not None:
        found.same(path, "start", partition["start"], device["start"] * 512, "lsblk")
    for ours, theirs in (("type", "parttype"), ("label", "partlabel"), ("uuid", "partuuid")):
        if device[theirs]:
            wanted = device[theirs]
            # 0xc and 0x0c are one type.
            if re.fullmatch(r"0x[0-9a-f]", wanted):
                wanted = "0x0" + wanted[2:]
            found.same(path, theirs, partition.get(ours), wanted, "lsblk")


def compare_layer(found, disk, device):
    thing = f"{disk['path']} under {device['name']}"
    layer = next((one for one in disk["stack"] if one["path"] == kernel_path(device)), None)
    found.has(thing, "layer", layer, "lsblk", device["type"])
    if not layer:
        return
    found.same(thing, "kind", layer["kind"], LAYERS[device["type"]], "lsblk")
    found.same(thing, "stands on", set(layer["members"]), device["parents"], "lsblk")
    if layer["kind"] == "md":
        found.same(thing, "level", layer["level"], device["type"], "lsblk")
    else:
        found.same(thing, "name", layer["name"], device["name"], "lsblk")


# -- md and LVM ----------------------------------------------------------------------------------


def layers_of(inventory):
    return {layer["path"]: layer for disk in inventory["disks"] for layer in disk["stack"]}


def plain(text):
    return re.sub(r"[^0-9A-Za-z]", "", text or "").lower()


def compare_arrays(found, inventory, arrays):
    """arrays: {kernel name: (mdadm --detail --export, mdadm --detail)}"""
    layers = {path: one for path, one in layers_of(inventory).items() if one["kind"] == "md"}
    found.same("the machine", "which arrays there are", set(layers), {f"/dev/{name}" for name in arrays},
               "mdadm")
    for name, (export, detail) in arrays.items():
        values = dict(line.split("=", 1) for line in export.splitlines() if "=" in line)
        layer, thing = layers.get(f"/dev/{name}", {}), f"/dev/{name}"
        found.same(thing, "level", layer.get("level"), values["MD_LEVEL"], "mdadm")
        found.same(thing, "uuid", plain(layer.get("uuid")), plain(values["MD_UUID"]), "mdadm")
        state = re.search(r"^\s*State : (.*?)\s*$", detail, re.M)[1].split(", ")
        found.same(thing, "degraded", layer.get("degraded"), "degraded" in state, "mdadm")
        rows = re.findall(r"^\s+(?:\d+|-)\s+\d+\s+\d+\s+(?:\d+|-)\s+(\S.*?)\s+/dev/(\S+)$", detail, re.M)
        found.same(thing, "members", set(layer.get("members", ())), {name for _, name in rows}, "mdadm")
        failed = {name for words, name in rows if "faulty" in words}
        found.same(thing, "failed", set(layer.get("failed", ())), failed, "mdadm")


def compare_lvm(found, inventory, pvs, vgs, lvs):
    holds = {hold["device"]: hold for disk in inventory["disks"] for hold in disk.get("holds", [])
             if hold["type"] == "LVM2_member"}
    rows = pvs["report"][0]["pv"]
    found.same("the machine", "which physical volumes", set(holds),
               {"/dev/" + row["kname"] for row in rows}, "pvs")
    for row in rows:
        hold, thing = holds.get("/dev/" + row["kname"], {}), row["pv_name"]
        found.same(thing, "uuid", hold.get("uuid"), row["pv_uuid"], "pvs")
        found.same(thing, "group", hold.get("label"), row["vg_name"], "pvs")
    layers = [one for one in layers_of(inventory).values() if one["kind"] == "lvm"]
    active = {(one["group"], one["groupUuid"]) for one in layers}
    groups = {(row["vg_name"], row["vg_uuid"]) for row in vgs["report"][0]["vg"]}
    found.same("the machine", "groups of active volumes", active - groups, set(), "vgs")
    by_uuid = {one["uuid"]: one for one in layers}
    for row in lvs["report"][0]["lv"]:
        if row["lv_kernel_minor"] == "-1":
            continue
        uuid = "LVM-" + (row["vg_uuid"] + row["lv_uuid"]).replace("-", "")
        # A snapshot and its origin have inner devices of the same uuid with a suffix.
        layer = by_uuid.get(uuid)
        found.has(row["lv_full_name"], "volume", layer, "lvs", uuid)
        if layer:
            found.same(row["lv_full_name"], "minor", layer["path"], f"/dev/dm-{row['lv_kernel_minor']}", "lvs")
            found.same(row["lv_full_name"], "group", layer["group"], row["vg_name"], "lvs")
            found.same(row["lv_full_name"], "group's uuid", layer["groupUuid"], row["vg_uuid"], "lvs")


# -- the network ---------------------------------------------------------------------------------


def compare_nics(found, inventory, links, routes):
    nics = {nic["name"]: nic for nic in inventory["nics"]}
    links = [link for link in links if link["link_type"] == "ether"]
    found.same("the machine", "which NICs there are", set(nics), {one["ifname"] for one in links}, "ip")
    for link in links:
        nic = nics.get(link["ifname"])
        if nic:
            compare_nic(found, nic, link)
            compare_routes(found, nic, [one for one in routes if one["dev"] == link["ifname"]])


def compare_nic(found, nic, link):
    thing, info = nic["name"], link.get("linkinfo", {})
    found.same(thing, "mac", nic["mac"], link["address"], "ip")
    found.same(thing, "mtu", nic["mtu"], link["mtu"], "ip")
    if link.get("max_mtu"):
        found.same(thing, "max_mtu", nic.get("maxMtu"), link["max_mtu"], "ip")
    if "UP" in link["flags"]:
        state = "down" if "NO-CARRIER" in link["flags"] else "up"
        found.same(thing, "state", nic["state"], state, "ip")
    # iproute2 leaves a permanent address out that is the one in use.
    if nic["kind"] == "physical":
        found.same(thing, "permaddr", nic["permanentMac"], link.get("permaddr", link["address"]), "ip")
    kind = info.get("info_kind") if info.get("info_kind") in ("bond", "vlan", "bridge") else "physical"
    found.same(thing, "kind", nic["kind"], kind, "ip")
    found.same(thing, "master", nic.get("master"), link.get("master"), "ip")
    found.same(thing, "altnames", nic.get("altNames", []), link.get("altnames", []), "ip")
    if kind == "vlan":
        found.same(thing, "vlan id", nic["vlanId"], info["info_data"]["id"], "ip")
        found.same(thing, "link", nic["parent"], link["link"], "ip")
    if kind == "bond":
        found.same(thing, "mode", nic["bond"]["mode"], info["info_data"]["mode"], "ip")
        found.same(thing, "miimon", nic["bond"].get("miimonMs", nic["bond"].get("miimon")),
                   info["info_data"]["miimon"], "ip")
        found.same(thing, "xmit_hash_policy", nic["bond"].get("xmitHashPolicy"),
                   info["info_data"]["xmit_hash_policy"], "ip")
    ours = {one["cidr"]: one["how"] for one in nic["addresses"]}
    theirs = {f"{one['local']}/{one['prefixlen']}": one for one in link["addr_info"]}
    found.same(thing, "addresses", set(ours), set(theirs), "ip")
    for cidr, one in theirs.items():
        if one["scope"] == "link":
            found.same(f"{thing} {cidr}", "scope link", ours.get(cidr), "link-local", "ip")
        elif one["family"] == "inet":
            found.same(f"{thing} {cidr}", "dynamic", ours.get(cidr) == "dhcp", bool(one.get("dynamic")), "ip")


def compare_routes(found, nic, routes):
    wanted = {one["dst"] if "/" in one["dst"] else one["dst"] + "/32" for one in routes if one["dst"] != "default"}
    found.same(nic["name"], "routes", set(nic.get("routes", [])), wanted, "ip route")
    gateways = [one["gateway"] for one in routes if one["dst"] == "default"]
    found.same(nic["name"], "gateway", nic.get("gateway"), gateways[0] if gateways else None, "ip route")


# -- what we know beyond them --------------------------------------------------------------------


def beyond(inventory, lsblk):
    """{what: how many}: facts that none of the tools asked here tells."""
    known = collections.Counter()
    devices = {kernel_path(one): one for one in flat(lsblk).values()}
    for disk in inventory["disks"]:
        known["keys under /dev/disk/by-id"] += len(disk.get("byId", []))
        known["why a disk is not to be used"] += bool(disk.get("unusable"))
        known["disks that lose something with another"] += len(disk.get("closure", []))
        known["disks proved blank"] += disk.get("holds") == []
        known["bytes free behind the last partition"] += disk.get("freeTailBytes") is not None
        for layer in disk["stack"]:
            known["layers: whether somebody has them open"] += layer.get("open") is not None
        for hold in disk.get("holds", []):
            known["places of signatures on their device"] += hold.get("offset") is not None
            device = devices.get(hold["device"], {})
            known["signatures that lsblk does not choose"] += hold["type"] not in (
                device.get("fstype"), device.get("pttype"))
        known["transports lsblk has no word for"] += bool(
            disk.get("transport") and not devices[disk["path"]]["tran"])
    for nic in inventory["nics"]:
        for name in ("driver", "pciAddress", "firmwareVersion", "speedMbps", "duplex", "dns"):
            known[f"NICs: {name}"] += bool(nic.get(name))
    return {what: count for what, count in known.items() if count}
