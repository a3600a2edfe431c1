"""The call: what an approval does, what it refuses, and where it says so."""

import json
import subprocess
import unittest

import answers
import client
import seed
import world
from seed import BOND, JOINS, LINKS, MEMBERS, VLAN, Statements, checked_node_yaml


class Curl(Statements):
    def test_s001_s002_the_curl_call_of_the_description_with_real_values(self):
        """Every field that the description's example shows is in this body."""
        join = self.here.paired()
        key = seed.disk_key(join.number, 0, "nvme0n1")
        body = {
            "assignment": {
                "name": "example",
                "role": "hybrid",
                "rack": "example",
                "az": "example",
                "mgmt": {
                    "interface": "enp1s0",
                    "address": f"10.77.0.{100 + join.number}",
                    "gateway": "10.77.0.1",
                    "dns": ["10.77.0.1"],
                },
                "links": [
                    {
                        "name": "storage",
                        "kind": "ethernet",
                        "interface": "enp2s0",
                        "addresses": ["10.77.10.40/24"],
                        "mtu": 9000,
                        "purposes": ["storage"],
                    },
                    {
                        "name": "bond",
                        "kind": "bond",
                        "interface": "bond0",
                        "bond": {
                            "mode": "802.3ad",
                            "xmitHashPolicy": "layer3+4",
                            "miimonMs": 100,
                            "lacpRate": "fast",
                        },
                    },
                    {
                        "name": "one",
                        "kind": "ethernet",
                        "interface": "enp3s0",
                        "controller": "bond0",
                    },
                    {
                        "name": "two",
                        "kind": "ethernet",
                        "interface": "enp4s0",
                        "controller": "bond0",
                    },
                    {
                        "name": "overlay",
                        "kind": "vlan",
                        "interface": "vlan90",
                        "parent": "bond0",
                        "vlanId": 90,
                        "purposes": ["overlay"],
                    },
                ],
                "disks": [
                    {
                        "key": key,
                        "role": "compute",
                        "pool": "example",
                        "storageClass": "example",
                        "confirm": key,
                    }
                ],
                "ntpServers": ["ntp.example.net"],
                "provider": {"topology": "bridged", "upstreamInterface": "enp1s0", "vlan": 30},
            },
            "copyFrom": "none",
        }
        path = f"{JOINS}/{join.id}/approve"
        head = self.here.folder / "curl.head"
        done = subprocess.run(
            ["curl", "-sS", "-k", "--request", "POST", "-D", head]
            + ["--url", f"https://127.0.0.1:{self.founder.admin_port}{path}"]
            + ["--header", "Authorization: Bearer " + self.founder.token]
            + ["--header", "Content-Type: application/json"]
            + ["--data", json.dumps(body)],
            capture_output=True,
            check=True,
            timeout=60,
        )
        first, *lines = head.read_text().strip().splitlines()
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        answer = client.Answer(int(first.split()[1]), headers, done.stdout)
        answers.keep("admin", "POST", path, answer, json.dumps(body).encode())
        self.assertEqual(answer.status, 200, answer)
        got = answer.json
        self.assertEqual((got["id"], got["state"]), (join.id, "approved"))
        for name, value in body["assignment"].items():
            if name == "mgmt":
                value = {**value, "address": value["address"] + "/24"}
            if name == "links":
                continue
            self.assertEqual(got["assignment"][name], value, name)
        for asked, made in zip(body["assignment"]["links"], got["assignment"]["links"]):
            for name, value in asked.items():
                self.assertEqual(made[name], value, (asked["name"], name))


class Call(Statements):
    def test_s003_it_is_checked_against_the_reported_hardware(self):
        (message,) = self.refused(
            "links[0].interface", links=[{**LINKS[0], "interface": "enp9s0"}, LINKS[1]]
        )
        self.assertEqual(
            message,
            "no NIC enp9s0; this machine has enp1s0 (up, 10 Gb/s), enp2s0 (up, 10 Gb/s), enp3s0 (up, "
            "10 Gb/s), enp4s0 (up, 10 Gb/s), enp5s0 (down)",
        )

    def test_s004_a_node_id_is_assigned(self):
        self.assertRegex(self.dry()["nodeId"], r"^n-[a-z0-9]{8}$")
        self.assertNotIn("nodeId", self.founder.join(self.machine.id))

    def test_s005_s010_links_without_addresses_get_the_next_free_ones_and_say_so(self):
        links = self.plan()["links"]
        # 10.77.10.1 is the founder's, 10.77.10.2 a virtual address.
        self.assertEqual(
            [one["addresses"] for one in links], [["10.77.10.3/24"], ["10.77.20.2/24"]]
        )
        self.assertEqual([one["addressesAllocated"] for one in links], [True, True])
        both = self.plan(
            links=[{"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]}]
        )
        self.assertEqual(both["links"][0]["addresses"], ["10.77.10.3/24", "10.77.20.2/24"])

    def test_s008_its_node_yaml_is_what_the_checker_accepts(self):
        links = [LINKS[0], BOND, *MEMBERS, {**VLAN, "purposes": ["overlay"]}]
        code, said = checked_node_yaml(self.node(name="beta", links=links), self.here.folder)
        self.assertEqual((code, said.split()[-1]), (0, "beta"), said)

    def test_s016_every_other_role_is_refused(self):
        for role in ("control-plane", "compute", "storage"):
            (message,) = self.refused("role", role=role)
            self.assertIn("not supported yet; the role must be hybrid", message)

    def test_s019_the_pairing_code_is_the_machines(self):
        self.assertEqual(
            self.founder.join(self.machine.id)["pairingCode"], self.machine.pairing_code
        )
        self.dry(beside={"pairingCode": self.machine.pairing_code})
        self.refused("pairingCode", beside={"pairingCode": "222-222"})

    def test_s020_it_is_audited(self):
        join = self.here.paired()
        self.here.approve(join, name="Not_a_label")
        self.assertEqual(self.here.approve(join, name="audited").status, 200)
        rows = [one for one in self.founder.audit() if one["object"] == f"join/{join.id}"]
        rows = [one for one in rows if one["action"] == "cluster.join.approved"]
        self.assertEqual([one["result"] for one in rows], ["ok", "refused"], "newest first")
        self.assertEqual({one["from"] for one in rows}, {"127.0.0.1"})
        self.assertTrue(all(one["actor"] and one["at"] and one["requestId"] for one in rows), rows)

    def test_s021_s102_it_gates_on_its_action(self):
        path = f"{JOINS}/{self.machine.id}/approve?dryRun=true"
        body = {"assignment": {"links": LINKS}}
        self.assertEqual(self.token("ha:ApproveNodeJoin").post(path, body).status, 200)
        answer = self.token("ha:ListNodeJoins", "ha:RejectNodeJoin").post(path, body)
        self.assertEqual((answer.status, answer.code), (403, "FORBIDDEN"), answer)
        nobody = client.Client("admin", self.founder.admin_port).post(path, body)
        self.assertEqual((nobody.status, nobody.code), (401, "UNAUTHENTICATED"), nobody)

    def test_s022_s101_what_does_not_decode_is_400_with_every_problem(self):
        messages = self.refused(
            "name",
            "role",
            "links[1].bond.mode",
            "links[1].mtu",
            "disks[0].role",
            "disks[0].wipe",
            status=400,
            name=7,
            role="boss",
            links=[LINKS[0], {**LINKS[1], "mtu": "big", "bond": {"mode": "lacp"}}],
            disks=[{"key": "x", "role": "osd", "wipe": True}],
        )
        self.assertIn("active-backup, 802.3ad, balance-xor", messages[2])

    def test_s023_s024_s105_what_the_rules_refuse_is_409_with_every_problem(self):
        mounted = seed.disk_key(self.machine.number, 3, "sdb")
        holds = seed.disk_key(self.machine.number, 1, "nvme1n1")
        answer = self.here.approve(
            self.machine,
            True,
            name="Node_1",
            role="storage",
            rack="Rack 1",
            az="-",
            mgmt={"interface": "enp9s0", "address": "10.77.0.0/24", "gateway": "10.77.0.254"},
            links=[
                {**LINKS[0], "interface": "enp9s0"},
                {**BOND, "bond": {}, "purposes": ["overlay"]},
                MEMBERS[0],
            ],
            disks=[{"key": mounted, "pool": "fast"}, {"key": holds, "pool": "fast"}],
        )
        self.assertEqual((answer.status, answer.code), (409, "JOIN_APPROVAL_REFUSED"), answer)
        self.assertEqual(
            [one["field"] for one in answer.json["errors"]],
            ["name", "role", "rack", "az", "mgmt.interface", "mgmt.address"]
            + ["links[0].interface", "links[1].bond.mode", "disks[0].key", "disks[1].confirm"],
        )

    def test_s025_an_unknown_copy_source_is_told_at_copy_from(self):
        (message,) = self.refused("copyFrom", beside={"copyFrom": "n-omega"})
        self.assertEqual(
            message, 'no node n-omega; nodes to copy from: n-alpha (alpha); "none" copies nothing'
        )

    def test_s026_the_empty_field_is_the_whole_approval(self):
        for body in (b"[]", b"7", b"{"):
            answer = self.api.post(f"{JOINS}/{self.machine.id}/approve", body)
            self.assertEqual((answer.status, answer.code), (400, "INVALID_INPUT"), answer)
            self.assertEqual([one["field"] for one in answer.json["errors"]], [""], answer)

    def test_s027_an_index_is_the_requests(self):
        self.refused("links[1].mtu", links=[LINKS[0], {**LINKS[1], "mtu": 99_999}])

    def test_s028_with_copy_from_an_index_is_the_merged_assignments(self):
        # Copied: storage, overlay; disks nvme0n1, sda. The request's own come after.
        self.refused(
            "links[2].interface",
            "disks[2].key",
            beside={"copyFrom": "n-alpha"},
            links=[{"name": "extra", "interface": "enp9s0"}],
            disks=[{"key": "0x5000000000000000", "pool": "x"}],
        )
        self.refused(
            "links[1].mtu",
            beside={"copyFrom": "n-alpha"},
            links=[{**LINKS[1], "mtu": 99_999}],
        )

    def test_s029_details_reasons_says_each_problem_in_a_line(self):
        answer = self.here.approve(self.machine, True, name="Node_1", role="compute")
        lines = [f"{one['field']}: {one['message']}" for one in answer.json["errors"]]
        self.assertEqual(answer.json["details"]["reasons"], lines)
        self.assertEqual(len(lines), 2)

    def test_s103_an_unknown_join_is_404(self):
        answer = self.api.post(f"{JOINS}/nj-zzzzzzzz/approve", {"assignment": {"links": LINKS}})
        self.assertEqual((answer.status, answer.code), (404, "NOT_FOUND"), answer)

    def test_s104_a_join_that_is_not_pending_or_queued_is_a_conflict(self):
        join = self.here.paired()
        self.assertEqual(self.api.post(f"{JOINS}/{join.id}/reject").status, 200)
        answer = self.here.approve(join)
        self.assertEqual((answer.status, answer.code), (409, "JOIN_STATE_CONFLICT"), answer)
        self.assertNotIn("errors", answer.json)

    def test_s106_a_policy_is_refused_with_all_its_findings(self):
        document = {
            "version": 1,
            "statements": [
                {"effect": "allow", "actions": ["ha:NoSuchThing"], "resources": ["*"]},
                {"effect": "allow", "actions": ["ha:ApproveNodeJoin"], "resources": ["token/*"]},
                {"effect": "maybe", "actions": ["*"], "resources": ["*"]},
            ],
        }
        answer = self.api.post("/v1/admin/tokens", {"policy": document})
        self.assertEqual((answer.status, answer.code), (400, "INVALID_INPUT"), answer)
        found = {(one["code"], one["statement"]): one for one in answer.json["issues"]}
        self.assertEqual(found[("UNKNOWN_ACTION", 0)]["action"], "ha:NoSuchThing")
        self.assertEqual(found[("ACTION_NOT_APPLICABLE", 1)]["action"], "ha:ApproveNodeJoin")
        self.assertIn(("INVALID_DOCUMENT", 2), found)
        whole = self.api.post("/v1/admin/tokens", {"policy": {"version": 9, "statements": []}})
        self.assertIn(
            ("INVALID_DOCUMENT", -1),
            [(one["code"], one["statement"]) for one in whole.json["issues"]],
        )


SMALL = seed.CONFIG.replace(
    "10.77.10.0/24, mtu: 9000, gateway: 10.77.10.254", "10.77.10.0/30, mtu: 9000"
)
SMALL = SMALL.replace("10.77.10.1/24", "10.77.10.1/30")


class Full(Statements):
    CONFIG = SMALL

    def test_s006_a_full_network_is_told_at_the_links_addresses(self):
        (message,) = self.refused("links[0].addresses")
        self.assertTrue(message.startswith("network storage (10.77.10.0/30) is full"), message)


class Unrecorded(unittest.TestCase):
    def test_s007_a_cluster_without_the_network_is_refused_when_it_is_founded(self):
        """So that no approval meets it; the rule behind it, addresses-recorded, has its unit tests."""
        lost = seed.CONFIG.replace(
            "    - {name: overlay, purpose: overlay", "    - {name: other, purpose: provider"
        )
        with self.assertRaises(AssertionError) as refused:
            world.World(lost.replace("addresses: [10.77.20.1/24]", "addresses: []"))
        self.assertIn("there is no network with purpose overlay", str(refused.exception))


class Cap(Statements):
    def test_s017_s018_five_nodes_whatever_was_planned(self):
        self.assertEqual(self.api.get("/v1/admin/cluster").json["plannedSize"], 3)
        for number in range(2, 6):
            join = self.here.paired()
            answer = self.here.approve(join, name=f"node-{number}")
            self.assertEqual(answer.status, 200, f"node {number}: {answer}")
        (message,) = self.refused("role")
        self.assertIn("takes at most 5", message)


class Queue(Statements):
    def reason(self, join):
        return self.founder.join(join.id).get("waitReason", "")

    def wait_reason(self, join, part):
        return world.wait_until(
            f"“{part}” of {join.id}", 20, lambda: part in self.reason(join) or None
        )

    def test_s009_s011_s012_s013_s014_s015_one_at_a_time_on_a_green_cluster(self):
        first, second, third = (self.here.paired() for _ in range(3))
        names = {first.id: "one", second.id: "two", third.id: "three"}
        answer = self.here.approve(first, name="one")
        self.assertEqual((answer.status, answer.json["state"]), (200, "approved"), answer)
        for join in (second, third):
            self.assertEqual(self.here.approve(join, name=names[join.id]).status, 200)
        self.founder.wait_state(first.id, "delivering", 20)
        queue = self.api.get("/v1/admin/cluster").json["queue"]
        self.assertEqual([one["joinId"] for one in queue], [first.id, second.id, third.id])
        # Another join runs, and the third is not the head.
        self.wait_reason(second, f"waiting for node one ({first.id}), which is delivering")
        self.wait_reason(
            third, f"waiting for node two ({second.id}), which is before it in the queue"
        )
        self.here.told(first, "joined")
        # A member that nothing was heard of, that is ill, that has an older generation.
        self.wait_reason(
            second, "waiting for the cluster to be green: node one has not been heard from"
        )
        self.here.beat(first, healthy=False)
        self.wait_reason(second, "waiting for the cluster to be green: node one is not healthy")
        now = self.api.get("/v1/admin/cluster").json["generation"]
        self.here.beat(first, generation=now - 1)
        self.wait_reason(
            second, f"waiting for node one to apply membership generation {now} (it has {now - 1})"
        )
        self.assertEqual(self.founder.join(second.id)["state"], "approved")
        self.here.beat(first)
        self.founder.wait_state(second.id, "delivering", 20)
        self.assertEqual(self.founder.join(third.id)["state"], "approved")
        # A removal comes before a join.
        self.here.told(second, "failed", error="no such disk")
        node = self.founder.join(first.id)["nodeId"]
        removed = self.api.delete(f"/v1/admin/cluster/members/{node}")
        self.assertEqual(removed.status, 202, removed)
        self.wait_reason(third, "waiting for node one to be removed")


if __name__ == "__main__":
    unittest.main()
