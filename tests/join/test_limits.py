"""What somebody who guesses, floods or says nothing costs the others: nothing."""

import concurrent.futures
import socket
import unittest

import client
import machine_client
import world


class Limits(unittest.TestCase):
    def test_wrong_codes_are_slowed_down_and_a_killed_founder_remembers(self):
        with world.World() as here:
            founder = here.founder
            guesser = machine_client.Machine(here, 1)
            for _ in range(20):
                answer = guesser.register("2345-6789-ABCD-EFGH")
                self.assertEqual((answer.status, answer.code), (403, "JOIN_CODE_INVALID"), answer)
            good = founder.join_code()["code"]
            founder.program.kill()
            founder.start()
            # A code that holds gets the same answer: it is not even looked at.
            answers = [guesser.register("2345-6789-ABCD-EFGH"), guesser.register(good)]
            slow = [one for one in answers if one.status == 429]
            self.assertTrue(slow, answers)  # a start may have taken the five seconds of one more
            for answer in slow:
                self.assertEqual(answer.code, "TOO_MANY_REQUESTS")
                self.assertIn(int(answer.headers["retry-after"]), range(1, 6))
            metrics = founder.api.get("/metrics").body.decode()
            self.assertRegex(metrics, r"stratum_wrong_join_codes_total 2[01]\n")

    def test_a_founder_killed_after_each_guess_forgets_none(self):
        with world.World() as here:
            founder = here.founder
            guesser = machine_client.Machine(here, 1)
            for number in range(18):
                self.assertEqual(guesser.register("2345-6789-ABCD-EFGH").status, 403)
                if number % 3 == 2:
                    founder.restart_after_kill()
            guesses = []
            while 429 not in guesses:
                guesses.append(guesser.register("2345-6789-ABCD-EFGH").status)
                self.assertLess(len(guesses), 12, guesses)  # two, and what came back meanwhile

    def test_wrong_tokens_are_remembered_by_a_killed_founder(self):
        with world.World() as here:
            guess = client.Client(
                "admin", here.founder.admin_port, headers={"Authorization": "Bearer x"}
            )
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                asked = [pool.submit(guess.get, "/v1/admin/cluster") for _ in range(330)]
                self.assertIn(429, {one.result().status for one in asked})
            here.founder.restart_after_kill()
            answers = [guess.get("/v1/admin/cluster") for _ in range(20)]
            slow = [one for one in answers if one.status == 429]
            self.assertTrue(slow, "a new founder would take 300 more")
            self.assertGreaterEqual(int(slow[0].headers["retry-after"]), 1)
            self.assertEqual(here.founder.api.get("/v1/admin/cluster").status, 200)

    def test_a_flood_of_refusals_is_counted_and_holds_no_secret(self):
        with world.World() as here:
            founder = here.founder
            code = founder.join_code()["code"]
            wrong = "fbt_" + "Zz9" * 14 + "Q"
            nobody = client.Client(
                "admin", founder.admin_port, headers={"Authorization": f"Bearer {wrong}"}
            )
            target = "/v1/admin/cluster/joins/nj-00000000/approve"
            for _ in range(60):
                self.assertEqual(nobody.post(target).status, 401)
            api = founder.api
            for answer, status in (
                (api.delete(f"/v1/admin/tokens/{founder.token}"), 404),
                (api.delete(f"/v1/admin/cluster/join-codes/{code}"), 404),
                (api.post(target, {founder.token: code}), 404),
                (api.post(f"/v1/admin/cluster/joins/{code}/reject", {"reason": code}), 404),
                (api.post("/v1/admin/cluster/join-codes", {"maxUses": wrong}), 400),
            ):
                self.assertEqual(answer.status, status, answer)
            self.assertEqual(founder.program.stop(), 0)  # tells what it counted
            founder.start()
            entries = founder.audit()
            refused = [one for one in entries if one["result"] == "refused"]
            self.assertEqual(len([one for one in refused if one["actor"] == "nobody"]), 20)
            (counted,) = [one for one in refused if one["action"] == "audit.refusals-counted"]
            self.assertIn("40 more refused since", counted["detail"])
            self.assertIn("127.0.0.1 (40)", counted["detail"])
            self.assertEqual(len([one for one in refused if one["actor"].startswith("tk-")]), 5)
            self.assertEqual(founder.ctl("admin", "audit", "verify").returncode, 0)
            founder.program.stop()
            kept = b"".join(one.read_bytes() for one in founder.state.iterdir() if one.is_file())
            self.assertIn(b"audit.refusals-counted", kept)
            log = founder.program.log.read_bytes()
            for secret in (founder.token, wrong, code, code.replace("-", "")):
                self.assertNotIn(secret.encode(), kept)
                self.assertNotIn(secret.encode(), log)

    def test_an_address_that_says_nothing_holds_nobody_up(self):
        with world.World() as here:
            held = []
            try:
                for port in (here.founder.join_port, here.founder.admin_port):
                    # More than either listener has threads of.
                    for number in range(700 if port == here.founder.join_port else 150):
                        one = socket.socket()
                        held.append(one)
                        one.bind(("127.0.0.9", 0))
                        one.connect(("127.0.0.1", port))
                machine = machine_client.Machine(here, 1)
                machine.pair(here.founder.join_code()["code"])
                self.assertEqual(here.founder.join(machine.id)["state"], "pending")
            finally:
                for one in held:
                    one.close()

    def test_every_answer_is_a_line_of_the_log_with_its_id(self):
        with world.World() as here:
            api = here.founder.api
            for answer, listener in (
                (api.get("/v1/admin/cluster"), "admin-listener"),
                (api.get("/nothing"), "admin-listener"),
                (api.get("/v1/%zz"), "admin-listener"),
                (machine_client.Machine(here, 1).register("2345-6789-ABCD-EFGH"), "join-listener"),
            ):
                request = answer.headers["x-request-id"]
                line = here.founder.program.wait_for(rf".*request={request}.*").group(0)
                self.assertIn(listener, line)
                self.assertIn(f"status={answer.status}", line)
                self.assertIn("from=127.0.0.1", line)
            self.assertNotIn(here.founder.token, here.founder.program.text())


if __name__ == "__main__":
    unittest.main()
