"""A machine whose hardware changes while it waits for its approval."""

import json
import unittest

import world


class Hardware(unittest.TestCase):
    def test_a_change_is_told_before_approval_and_what_is_none_is_not(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            joiner.start(founder.join_code()["uri"])
            code = joiner.pairing_code()
            join_id = founder.joins()[0]["id"]
            before = founder.wait_state(join_id, "pending")

            # Another writing of the same: looked at, and not sent.
            path = joiner.machine / "ip-addr.json"
            links = json.loads(path.read_text())
            path.write_text(json.dumps(links, indent=1))

            # A cable is pulled; the look of each minute is not waited for.
            def carrier_of(name, is_there):
                for link in links:
                    if link["ifname"] == name:
                        link["flags"] = ["UP", "LOWER_UP"] if is_there else ["NO-CARRIER", "UP"]
                (joiner.machine / f"sys/class/net/{name}/carrier").write_text(f"{int(is_there)}\n")
                path.write_text(json.dumps(links))

            def state_of(name):
                inventory = founder.join(join_id)["inventory"]
                return {nic["name"]: nic["state"] for nic in inventory["nics"]}[name]

            self.assertEqual(state_of("enp2s0"), "up")
            carrier_of("enp2s0", False)
            world.wait_until("a NIC that is down", 45, lambda: state_of("enp2s0") == "down")
            told = founder.join(join_id)
            self.assertEqual(told["revision"], before["revision"] + 1)
            self.assertEqual((told["state"], told["pairingCode"]), ("pending", code))

            carrier_of("enp2s0", True)
            world.wait_until("a NIC that is up", 45, lambda: state_of("enp2s0") == "up")
            self.assertEqual(founder.join(join_id)["revision"], before["revision"] + 2)
            self.assertNotIn("is not reached", joiner.program.text())

            # The same joiner goes on to a member.
            self.assertEqual(founder.approve(join_id, code).status, 200)
            founder.wait_state(join_id, "joined")


if __name__ == "__main__":
    unittest.main()
