"""Many machines approved at the same instant, over the wire: what there is one of goes to one."""

import threading
import unittest

import machine_client
import world

JOINS = "/v1/admin/cluster/joins"
SMALL = {"storage": "10.77.10.0/29", "overlay": "10.77.20.0/24"}


class AtOnce(unittest.TestCase):
    def paired(self, here, count):
        code = here.founder.join_code(maxUses=count)["code"]
        return [machine_client.Machine(here, number).pair(code) for number in range(1, count + 1)]

    def approve_all(self, here, machines, body_of):
        """{join id: answer} of approvals that all set out together."""
        start = threading.Barrier(len(machines))
        answers = {}

        def approve(machine):
            api, body = here.founder.api, body_of(machine)
            start.wait(20)
            answers[machine.id] = api.post(f"{JOINS}/{machine.id}/approve", body)

        threads = [threading.Thread(target=approve, args=(machine,)) for machine in machines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(len(answers), len(machines), "each was answered")
        return answers

    def split(self, answers, field):
        """The approved joins; all others were refused at this field alone."""
        for answer in answers.values():
            if answer.status == 200:
                continue
            self.assertEqual((answer.status, answer.code), (409, "JOIN_APPROVAL_REFUSED"), answer)
            self.assertEqual([one["field"] for one in answer.json["errors"]], [field], answer)
        return [answer.json for answer in answers.values() if answer.status == 200]

    def addresses(self, joins):
        return [
            address.split("/")[0]
            for join in joins
            for address in [join["assignment"]["mgmt"]["address"]]
            + [one for link in join["assignment"]["links"] for one in link["addresses"]]
        ]

    def in_state(self, here, state):
        return [join["id"] for join in here.founder.joins() if join["state"] == state]

    def usual(self, machine):
        return {"assignment": {"links": world.ASSIGNMENT_LINKS}}

    def test_sixteen_get_the_four_free_places_and_no_address_twice(self):
        with world.World() as here:
            answers = self.approve_all(here, self.paired(here, 16), self.usual)
            approved = self.split(answers, "role")
            self.assertEqual(len(approved), 4, "beside the founder")
            addresses = self.addresses(approved)
            self.assertEqual(len(addresses), 4 * 3)
            self.assertEqual(len(set(addresses)), len(addresses), addresses)
            self.assertEqual(
                sorted(one for one in addresses if one.startswith("10.77.10.")),
                [f"10.77.10.{host}" for host in (2, 3, 4, 5)],
            )
            states = [one["state"] for one in here.founder.joins()]
            self.assertEqual(states.count("pending"), 12)
            rows = [r for r in here.founder.audit() if r["action"] == "cluster.join.approved"]
            results = [row["result"] for row in rows]
            self.assertEqual((results.count("ok"), results.count("refused")), (4, 12))

    def test_a_full_network_is_told_at_the_links_addresses(self):
        config = world.founder_config(SMALL).replace(
            "mtu: 1500}\n    - {name: overlay",
            "mtu: 1500, reserved: [10.77.10.4-10.77.10.6]}\n    - {name: overlay",
        )
        with world.World(config) as here:
            answers = self.approve_all(here, self.paired(here, 4), self.usual)
            approved = self.split(answers, "links[0].addresses")
            self.assertEqual(len(approved), 2)
            self.assertEqual(
                sorted(one for one in self.addresses(approved) if one.startswith("10.77.10.")),
                ["10.77.10.2", "10.77.10.3"],
            )
            # A place that is given back is free for the next.
            running = world.wait_until(
                "first to run", 20, lambda: self.in_state(here, "delivering")
            )
            (queued,) = {join["id"] for join in approved} - set(running)
            rejected = here.founder.api.post(f"{JOINS}/{queued}/reject")
            self.assertEqual(rejected.status, 200, rejected)
            (left, *_) = [join for join, answer in answers.items() if answer.status != 200]
            again = here.founder.api.post(f"{JOINS}/{left}/approve", self.usual(None))
            self.assertEqual(again.status, 200, again)

    def test_one_name_goes_to_one(self):
        with world.World() as here:
            body = {"assignment": {"name": "beta", "links": world.ASSIGNMENT_LINKS}}
            answers = self.approve_all(here, self.paired(here, 4), lambda _: body)
            self.assertEqual(len(self.split(answers, "name")), 1)


if __name__ == "__main__":
    unittest.main()
