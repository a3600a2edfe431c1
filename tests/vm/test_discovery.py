"""Discovery against the tools: every stack of stacks.py stands in one machine at once, and what
`firstboot discover` says of it is held against lsblk, mdadm, LVM and iproute2."""

import copy
import json
import unittest

import agreement
import cluster
import harness
import stacks

# These two are the disks of others in another state; tests/machines has them.
LEFT_OUT = ("two-paths-without-a-map", "md-at-the-end-stopped")
COLUMNS = {"pvs": "pv_name,pv_uuid,vg_name,vg_uuid,pv_major,pv_minor", "vgs": "vg_name,vg_uuid",
           "lvs": "lv_full_name,lv_uuid,vg_name,vg_uuid,lv_kernel_major,lv_kernel_minor"}


def report(text):
    """LVM's JSON, whose warnings stand before it."""
    return json.loads(text[text.index("{"):])


class DiscoveryAgrees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        image = stacks.image(cluster.FIRSTBOOT)
        disks = stacks.hardware(harness.WORK / "discovery")
        cls.vm = cls.enterClassContext(
            harness.Machine("discovery", image, disks=disks, memory_mib=1536))
        stacks.prepare(cls.vm)
        cls.spent = [f"boot {cls.vm.cpu_seconds:.0f}"]
        for stack in stacks.STACKS:
            if stack.name not in LEFT_OUT:
                before = cls.vm.cpu_seconds
                stacks.inside(cls.vm, stack.build, stack.disks)
                cls.spent.append(f"{stack.name} {cls.vm.cpu_seconds - before:.0f}")
        cls.ask()
        print("    seconds of CPU: " + ", ".join(cls.spent) + f"; in all {cls.vm.cpu_seconds:.0f}")

    @classmethod
    def ask(cls):
        def run(command):
            return cls.vm.run(command, seconds=300)

        cls.lsblk = json.loads(run("udevadm settle; lsblk -J -O -b"))
        cls.written = {}
        for moment in ("before", "after"):
            # Sectors written so far, by device.
            cls.written[moment] = run("sync; sleep 0.2; cd /sys/class/block; "
                                      "for d in *; do read -a s <$d/stat; echo $d ${s[6]}; done")
            if moment == "before":
                cls.inventory = json.loads(run("firstboot discover --json"))
        cls.links = json.loads(run("ip -j -d addr"))
        cls.routes = json.loads(run("ip -j route"))
        cls.reports = {tool: report(run(f"{tool} --reportformat json -o {columns} 2>/dev/null"))
                       for tool, columns in COLUMNS.items()}
        cls.arrays = {}
        for name in run("cd /sys/class/block; ls -d md*").split():
            cls.arrays[name] = tuple(run(f"mdadm --detail {more} /dev/{name}") for more in ("--export", ""))

    def agrees(self, found, at_least):
        print(f"    {sum(found.compared.values())} facts compared: " +
              ", ".join(f"{fact} {count}" for fact, count in sorted(found.compared.items())))
        self.assertEqual(found.differences, [])
        # A comparison that found nothing to compare showed nothing.
        self.assertGreaterEqual(sum(found.compared.values()), at_least)

    def test_disks_partitions_and_stacks_agree_with_lsblk(self):
        found = agreement.Agreement()
        agreement.compare_disks(found, self.inventory, self.lsblk)
        self.agrees(found, 500)

    def test_arrays_agree_with_mdadm(self):
        found = agreement.Agreement()
        agreement.compare_arrays(found, self.inventory, self.arrays)
        self.assertEqual(len(self.arrays), 5)
        self.agrees(found, 26)

    def test_volumes_agree_with_lvm(self):
        names = {one["maj:min"]: one["kname"] for one in agreement.flat(self.lsblk).values()}
        for row in self.reports["pvs"]["report"][0]["pv"]:
            row["kname"] = names[f"{row['pv_major']}:{row['pv_minor']}"]
        found = agreement.Agreement()
        agreement.compare_lvm(found, self.inventory, *(self.reports[tool] for tool in COLUMNS))
        self.agrees(found, 25)

    def test_two_groups_of_one_name_are_told_apart(self):
        groups = {hold["uuid"]: hold for disk in self.inventory["disks"]
                  for hold in disk.get("holds", []) if hold.get("label") == "data"}
        self.assertEqual(len(groups), 2)
        by_path = {disk["path"]: disk for disk in self.inventory["disks"]}
        for path in {hold["device"] for hold in groups.values()}:
            self.assertEqual(by_path[path]["closure"], [], "one group of that name is not the other")

    def test_a_wrong_fact_would_be_noticed(self):
        for change in (lambda disk: disk.update(sizeBytes=1), lambda disk: disk.update(serial="X"),
                       lambda disk: disk.update(holds=[]), lambda disk: disk.update(stack=[]),
                       lambda disk: disk["partitions"].pop(), lambda disk: disk["mounts"].pop()):
            wrong = copy.deepcopy(self.inventory)
            change(next(disk for disk in wrong["disks"]
                        if disk["partitions"] and disk["stack"] and disk.get("mounts")))
            found = agreement.Agreement()
            agreement.compare_disks(found, wrong, self.lsblk)
            self.assertNotEqual(found.differences, [])

    def test_nics_agree_with_iproute2(self):
        found = agreement.Agreement()
        agreement.compare_nics(found, self.inventory, self.links, self.routes)
        self.agrees(found, 60)

    def test_discovery_writes_nothing(self):
        before, after = (dict(line.split() for line in self.written[moment].splitlines())
                         for moment in ("before", "after"))
        # A mounted file system has work of its own to write.
        busy = {mount["device"].removeprefix("/dev/") for disk in self.inventory["disks"]
                for mount in disk.get("mounts", [])}
        quiet = {disk["name"] for disk in self.inventory["disks"] if not disk["mounted"]} - busy
        self.assertGreaterEqual(len(quiet), 6)
        self.assertEqual({name: after[name] for name in quiet}, {name: before[name] for name in quiet})

    def test_a_capture_reads_back_as_the_same_machine(self):
        folder = harness.WORK / "discovery/capture"
        stacks.capture(self.vm, folder)
        read = json.loads(harness.run(cluster.FIRSTBOOT, "discover", "--root", folder, "--json"))
        self.assertEqual(read, json.loads((folder / "expected.json").read_text()))
        self.assertEqual(len(read["disks"]), len(self.inventory["disks"]))
        self.assertEqual(self.vm.run("stat -c '%a' /run/capture /run/capture/sys").split(), ["700"] * 2)

    def test_it_says_more_than_the_tools(self):
        beyond = agreement.beyond(self.inventory, self.lsblk)
        print("    beyond lsblk, mdadm, LVM and iproute2: " +
              "; ".join(f"{what} {count}" for what, count in sorted(beyond.items())))
        for what in ("why a disk is not to be used", "disks that lose something with another",
                     "signatures that lsblk does not choose"):
            self.assertGreater(beyond.get(what, 0), 0)


if __name__ == "__main__":
    unittest.main()
