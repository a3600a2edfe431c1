"""What somebody who guesses, floods or says nothing costs the others: nothing."""

import socket
import unittest

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
