"""Bad input gets every problem at its field, with its exact words, over the real wire.

Each row changes one thing of an approval that is good, and names all problems of the answer, in
their order. The rows of `DECODE` do not decode (400), those of `REFUSED` are refused by a rule (409).
"""

import copy
import json
import re
import unittest

import fault_rows
import machine_client
import world
from fault_rows import DECODE, MACHINE, REFUSED, SEVERAL


def config():
    """world's founder, with a bridged provider network on VLAN 30 and addresses that are taken."""
    text = world.founder_config()
    text = text.replace("  allowNoCompute: true\n", fault_rows.CLUSTER)
    return text.replace("ntpServers: [", fault_rows.PROVIDER + "ntpServers: [")


def place(tree, path):
    """The container and the key of links[0].bond.mode; containers are made on the way."""
    keys = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path)]
    for key, following in zip(keys, keys[1:]):
        missing = [] if isinstance(following, int) else {}
        if isinstance(tree, list) and key == len(tree):
            tree.append(missing)
        elif isinstance(tree, dict):
            tree.setdefault(key, missing)
        tree = tree[key]
    return tree, keys[-1]


def edited(changes):
    """The good approval with these places set; None takes one away."""
    body = copy.deepcopy(fault_rows.GOOD)
    for path, value in copy.deepcopy(changes).items():
        tree, key = place(body if path in fault_rows.BESIDE else body["assignment"], path)
        if value is None:
            del tree[key]
        elif isinstance(tree, list) and key == len(tree):
            tree.append(value)
        else:
            tree[key] = value
    return body


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = world.World(config())
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.machine = machine_client.Machine(cls.here, 1)
        world.machine.write(cls.machine.folder / "machine", 1, "10.77.0.50/24", **MACHINE)
        inventory = cls.machine.inventory()
        for disk in inventory["disks"]:
            disk.update(fault_rows.REPORTED.get(disk["name"], {}))
        registered = cls.machine.register(cls.founder.join_code()["code"])
        assert registered.status == 201, registered
        revealed = cls.machine.reveal(inventory=inventory)
        assert revealed.status == 200, revealed
        cls.path = f"/v1/admin/cluster/joins/{cls.machine.id}/approve?dryRun=true"

    def answer(self, body):
        return self.founder.api.post(self.path, body)

    def errors(self, answer):
        return [(one["field"], one["message"]) for one in answer.json["errors"]]

    def check(self, rows, status, code):
        for changes, wanted in rows:
            with self.subTest(json.dumps(changes, default=str)[:300]):
                answer = self.answer(edited(changes))
                self.assertEqual((answer.status, answer.code), (status, code), answer)
                self.assertEqual(self.errors(answer), wanted)
                lines = [f"{field}: {message}" if field else message for field, message in wanted]
                details = answer.json.get("details", {}).get("reasons", lines)
                self.assertEqual(details, lines, "details.reasons says the same, in the same order")
                if status == 409:
                    self.assertIn("reasons", answer.json["details"])

    def test_the_good_approval_is_good(self):
        answer = self.answer(fault_rows.GOOD)
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual([one["path"] for one in answer.json["wipes"]], ["/dev/nvme1n1"])
        self.assertEqual(answer.json["wipes"][0]["losses"], ["ext4 “old” on /dev/nvme1n1"])

    def test_what_does_not_decode_is_400_at_its_field(self):
        self.check(DECODE, 400, "INVALID_INPUT")

    def test_what_a_rule_refuses_is_409_at_its_field(self):
        self.check(REFUSED, 409, "JOIN_APPROVAL_REFUSED")

    def test_what_json_forbids_comes_beside_the_rest(self):
        sent = (
            b'{"assignment": {"name": "a", "name": "b", "links": [{"mtu": "x", "mtu": 1}]},'
            b' "extra": 1}'
        )
        answer = self.answer(sent)
        self.assertEqual(answer.status, 400, answer)
        twice = "given twice, the first on line 1; remove one"
        self.assertEqual(
            self.errors(answer),
            [
                ("name", twice),
                ("links[0].mtu", twice),
                ("links[0].mtu", "must be a whole number, found a string"),
                ("extra", "unknown"),
            ],
        )

    def test_several_problems_come_in_one_answer_and_one_order(self):
        self.check(SEVERAL, 409, "JOIN_APPROVAL_REFUSED")
        (changes, wanted) = SEVERAL[0]
        backwards = dict(reversed(changes.items()))
        self.assertEqual(self.errors(self.answer(edited(backwards))), wanted)

    def test_nothing_of_it_was_written(self):
        join = self.founder.join(self.machine.id)
        self.assertEqual(join["state"], "pending")
        self.assertNotIn("assignment", join)

    def test_the_table_has_at_least_forty_distinct_pairs(self):
        pairs = {pair for rows in (DECODE, REFUSED) for _, wanted in rows for pair in wanted}
        self.assertGreaterEqual(len(pairs), 40)
        # Counting one fault at two indices twice would be cheating.
        faults = {
            (re.sub(r"\[\d+\]", "[]", field), re.sub(r"\d", "0", text)) for field, text in pairs
        }
        self.assertGreaterEqual(len(faults), 40)


if __name__ == "__main__":
    unittest.main()
