"""Whole joins, from nothing to a member."""

import json
import unittest

import world


class WholeJoin(unittest.TestCase):
    def test_a_machine_becomes_a_member(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            made = founder.join_code(note="first")
            joiner.start(made["uri"])
            code = joiner.pairing_code()
            (join,) = founder.joins()
            self.assertEqual(join["state"], "pending")
            self.assertEqual(join["pairingCode"], code, "both sides show the same code")
            approved = founder.approve(join["id"], code, name="beta")
            self.assertEqual(approved.status, 200, approved)
            links = approved.json["assignment"]["links"]
            self.assertEqual(links[0]["addresses"], ["10.77.10.2/24", "10.77.20.2/24"])
            self.assertTrue(links[0]["addressesAllocated"])
            whole = founder.wait_state(join["id"], "joined")
            self.assertEqual({step["status"] for step in whole["steps"]}, {"done"})
            self.assertEqual(
                [step["name"] for step in whole["steps"]],
                ["verify", "identity", "network", "time", "storage", "finish"],
            )
            self.assertEqual((joiner.root / "etc/hostname").read_text(), "beta\n")
            network = (joiner.root / "etc/systemd/network/05-stratum-enp2s0.network").read_text()
            self.assertIn("Address=10.77.10.2/24", network)
            self.assertIn("PermanentMACAddress=52:54:00:77:01:03", network)
            self.confirm_generation(founder)
            self.no_secret_anywhere(here, made)

    def confirm_generation(self, founder):
        def applied():
            members = founder.api.get("/v1/admin/cluster/members").json["members"]
            generation = founder.api.get("/v1/admin/cluster").json["generation"]
            return {m["name"]: m["generationApplied"] for m in members}.get("beta") == generation

        world.wait_until("generation applied by beta", 40, applied)

    def no_secret_anywhere(self, here, made):
        plain = made["code"].replace("-", "")
        for path in here.folder.rglob("*"):
            if not path.is_file() or path.suffix == ".pem":
                continue
            content = path.read_bytes()
            for secret in (made["code"], plain, here.founder.token):
                self.assertNotIn(secret.encode(), content, f"a secret stands in {path}")

    def test_a_short_code_typed_beside_the_address(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            made = founder.join_code()
            joiner.start()
            joiner.program.wait_for(r"join code", 20)
            joiner.program.type_line(f"127.0.0.1:{founder.join_port} {made['code'].lower()}")
            code = joiner.pairing_code()
            self.assertEqual(founder.joins()[0]["pairingCode"], code)

    def test_two_joiners_one_after_the_other(self):
        with world.World() as here:
            founder = here.founder
            made = founder.join_code(maxUses=2)
            ids = []
            joiners = [here.joiner(), here.joiner()]
            for joiner, name in zip(joiners, ["beta", "gamma"]):
                joiner.start(made["uri"])
                code = joiner.pairing_code()
                (join,) = [j for j in founder.joins() if j.get("pairingCode") == code]
                ids.append(join["id"])
            # Both are approved before either has run; the second must wait its turn.
            for join_id, name in zip(ids, ["beta", "gamma"]):
                answer = founder.approve(join_id, name=name)
                self.assertEqual(answer.status, 200, answer)
            second = founder.join(ids[1])
            self.assertEqual(second["state"], "approved")
            self.assertTrue(second["waitReason"])
            first = founder.wait_state(ids[0], "joined")
            founder.wait_state(ids[1], "joined", 90)
            first_done = max(step["finishedAt"] for step in first["steps"])
            second_began = min(step["startedAt"] for step in founder.join(ids[1])["steps"])
            self.assertLessEqual(first_done, second_began)
            addresses = [
                address
                for join_id in ids
                for link in founder.join(join_id)["assignment"]["links"]
                for address in link["addresses"]
            ]
            self.assertEqual(len(addresses), len(set(addresses)), addresses)

    def test_a_failed_step_is_told_and_retried(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            # A folder where the hostname file must go: identity cannot write it.
            (joiner.root / "etc/hostname").mkdir(parents=True)
            joiner.start(founder.join_code()["uri"])
            code = joiner.pairing_code()
            join_id = founder.joins()[0]["id"]
            self.assertEqual(founder.approve(join_id, code, name="beta").status, 200)
            failed = founder.wait_state(join_id, "failed")
            self.assertEqual(failed["failedStep"], "identity")
            self.assertTrue(failed["failedStepTitle"])
            self.assertIn("hostname", failed["failedError"])
            (joiner.root / "etc/hostname").rmdir()
            again = founder.api.post(f"/v1/admin/cluster/joins/{join_id}/retry")
            self.assertEqual(again.status, 200, again)
            self.assertEqual(again.json["attempt"], 2)
            whole = founder.wait_state(join_id, "joined")
            self.assertEqual(whole["nodeId"], failed["nodeId"])
            self.assertEqual(whole["assignment"], failed["assignment"])

    def test_by_hand_with_stratumctl(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            made = json.loads(founder.ctl("admin", "join-codes", "create", "--json").stdout)
            joiner.start(made["uri"])
            code = joiner.pairing_code()
            listed = founder.ctl("admin", "joins", "list").stdout
            self.assertIn(code, listed)
            join_id = founder.joins()[0]["id"]
            file = here.folder / "beta.yaml"
            file.write_text(
                "name: beta\nlinks:\n  - {name: data, interface: enp2s0, "
                "purposes: [storage, overlay]}\n"
            )
            words = ["admin", "joins", "approve", join_id, "--assignment", str(file)]
            dry = founder.ctl(*words, "--dry-run").stdout
            self.assertIn("nothing was written", dry)
            self.assertEqual(founder.join(join_id)["state"], "pending")
            wrong = founder.ctl(*words, "--pairing-code", "222-222", check=False)
            self.assertEqual(wrong.returncode, 1)
            self.assertIn("pairingCode:", wrong.stderr)
            founder.ctl(*words, "--pairing-code", code)
            done = founder.ctl("admin", "joins", "watch", join_id)
            self.assertIn("joined", done.stdout)
            self.assertIn("beta", founder.ctl("admin", "members", "list").stdout)
            self.assertIn("10.77.10.0/24", founder.ctl("admin", "networks").stdout)
            self.assertIn("cluster.join.approved", founder.ctl("admin", "audit").stdout)


if __name__ == "__main__":
    unittest.main()
