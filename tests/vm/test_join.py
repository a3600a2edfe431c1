"""A whole join in a virtual machine: from the join code on the kernel command line to a member."""

import json
import unittest

import cluster as stage
import harness

# On an idle machine 20 s; without acceleration and with others at work minutes.
BOOT_SECONDS = 400
JOIN_SECONDS = 400


def start_joiner(test, name, cluster, joiner, disks=()):
    image = harness.build_image("firstboot", stage.FIRSTBOOT)
    uri = cluster.join_uri(note=name)
    return test.enterContext(harness.Machine(name, image, disks=[*joiner.disks, *disks],
                                             nics=joiner.nics, append=f"stratum.join={uri}"))


def refused_fields(test, cluster, join_id, code, assignment):
    """The fields at which the founder refuses this approval."""
    with test.assertRaises(harness.VmError) as refusal:
        cluster.approve(join_id, code, assignment)
    return str(refusal.exception)


class WholeJoin(unittest.TestCase):
    """The appliance in RAM: pairing, refusals, approval, the phases, and what came of them."""

    def test_machine_joins_and_becomes_what_was_approved(self):
        folder = harness.WORK / "join"
        cluster = self.enterContext(stage.Cluster(folder))
        joiner = stage.Joiner(cluster, folder)
        vm = start_joiner(self, "join", cluster, joiner)

        code = vm.wait_for(stage.PAIRING_CODE, seconds=BOOT_SECONDS)[1]
        print(f"    QEMU start to the pairing code on the console: {vm.seconds:.1f} s")
        join_id = cluster.joins()[0]["id"]
        join = cluster.wait_state(join_id, ("pending",), 30)
        self.assertEqual(join["pairingCode"], code, "console and founder show different codes")
        self.assertGreater(vm.screenshot("join-tty1"), 0.01, "tty1 does not show the code")

        assignment = joiner.assignment(join["inventory"])
        self.refuses_what_is_wrong(cluster, join_id, code, assignment)
        cluster.approve(join_id, code, assignment)
        join = cluster.wait_state(join_id, ("joined",), JOIN_SECONDS)
        self.looks_as_approved(vm, cluster, join)
        self.assertEqual(joiner.check_disks(), [])

    def refuses_what_is_wrong(self, cluster, join_id, code, assignment):
        other = ("222-222" if code != "222-222" else "333-333")
        self.assertIn("pairingCode", refused_fields(self, cluster, join_id, other, assignment))
        unconfirmed = json.loads(json.dumps(assignment))
        del unconfirmed["disks"][1]["confirm"]
        said = refused_fields(self, cluster, join_id, code, unconfirmed)
        self.assertIn("disks[1].confirm", said)
        self.assertIn("ext4", said)
        self.assertEqual(cluster.join(join_id)["state"], "pending")

    def looks_as_approved(self, vm, cluster, join):
        self.assertEqual(vm.run("cat /proc/sys/kernel/hostname").strip(), "beta")
        link = join["assignment"]["links"][0]
        for address in link["addresses"]:
            self.assertIn(address.split("/")[0], vm.run(f"ip -4 addr show {link['interface']}"))
        vm.run("ping -c 1 -W 2 10.77.10.1 && ping -c 1 -W 2 10.77.20.1")
        groups = json.loads(vm.run("vgs --reportformat json -o vg_name,pv_count"))
        self.assertEqual(groups["report"][0]["vg"], [{"vg_name": stage.GROUP, "pv_count": "2"}])
        members = cluster.ctl("members", "list")["members"]
        self.assertEqual(sorted((member["name"], member["status"]) for member in members),
                         [("alpha", "joined"), ("beta", "joined")])


class PowerCut(unittest.TestCase):
    """A machine with a state partition loses its power: while a disk is wiped, and as a member."""

    def test_machine_goes_on_after_power_cuts(self):
        folder = harness.WORK / "power-cut"
        cluster = self.enterContext(stage.Cluster(folder))
        joiner = stage.Joiner(cluster, folder)
        state = harness.state_disk(folder / "state.raw")
        vm = start_joiner(self, "power-cut", cluster, joiner, [state])

        code = vm.wait_for(stage.PAIRING_CODE, seconds=BOOT_SECONDS)[1]
        self.state_is_mounted_before_all(vm)
        join_id = cluster.joins()[0]["id"]
        join = cluster.wait_state(join_id, ("pending",), 30)
        cluster.approve(join_id, code, joiner.assignment(join["inventory"]))
        vm.wait_for(r"wiping /dev/nvme1n1", seconds=JOIN_SECONDS)
        vm.power_cut()

        vm.start()
        join = cluster.wait_state(join_id, ("joined",), BOOT_SECONDS + JOIN_SECONDS)
        self.assertEqual(len(cluster.joins()), 1, "it registered anew instead of going on")
        self.assertEqual(joiner.check_disks(), [])
        vm.wait_for(r"This machine is a member: beta", seconds=60)
        vm.power_cut()

        vm.start()
        vm.wait_for(r"This machine is a member: beta", seconds=BOOT_SECONDS)
        self.is_the_node_again(vm, join["assignment"]["links"][0])

    def state_is_mounted_before_all(self, vm):
        self.assertEqual(vm.run("cat /run/stratum/state").strip(), "partition /dev/vda1")
        self.assertIn("nosuid", vm.run("findmnt -no OPTIONS /var/lib/stratum"))
        units = ["stratum-state.service", "systemd-networkd.service", "firstboot-join.service"]
        times = [int(vm.run(f"systemctl show -P {when}Monotonic {unit}")) for when, unit in zip(
            ("ActiveEnterTimestamp", "ExecMainStartTimestamp", "ExecMainStartTimestamp"), units)]
        self.assertLess(times[0], times[1], "the network came up before the state partition")
        self.assertLess(times[0], times[2], "the joiner started before the state partition")

    def is_the_node_again(self, vm, link):
        self.assertEqual(vm.run("cat /proc/sys/kernel/hostname").strip(), "beta")
        for address in link["addresses"]:
            vm.wait_until(f"ip -4 addr show {link['interface']} | grep -q 'inet {address}'",
                          seconds=30)
        vm.wait_until("ping -c 1 -W 2 10.77.10.1", seconds=30)
