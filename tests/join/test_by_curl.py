"""The protocol by clients that are not ours: curl and openssl alone."""

import pathlib
import subprocess
import unittest

import answers
import client
import world

HERE = pathlib.Path(__file__).resolve().parent


class ByCurl(unittest.TestCase):
    def test_registration_approval_and_delivery(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            inventory = subprocess.run(
                [world.FIRSTBOOT, "discover", "--root", joiner.machine, "--json"],
                capture_output=True,
                check=True,
                timeout=60,
            ).stdout
            (joiner.folder / "inventory.json").write_bytes(inventory)
            token_file = joiner.folder / "authorization"
            token_file.write_text(f"Authorization: Bearer {founder.token}")
            done = subprocess.run(
                [HERE / "by_curl.sh", joiner.folder, founder.key, str(founder.join_port)]
                + [str(founder.admin_port), founder.join_code()["code"], token_file]
                + [joiner.folder / "inventory.json"],
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertGreaterEqual(self.keep_answers(joiner.folder), 7)
            code, approved, name, state = done.stdout.split()
            self.assertEqual(founder.joins()[0]["pairingCode"], code)
            self.assertEqual((approved, name, state), ("approved", "by-curl", "joined"))

    def keep_answers(self, folder):
        """What curl saw is held against the description, as what other clients saw."""
        calls = sorted(folder.glob("answers/*.call"))
        for call in calls:
            listener, method, path, *sent = call.read_text().split()
            first, *lines = call.with_suffix(".head").read_text().strip().splitlines()
            headers = {
                name.lower(): value for name, value in (line.split(": ", 1) for line in lines)
            }
            body = call.with_suffix(".body").read_bytes()
            answer = client.Answer(int(first.split()[1]), headers, body)
            request = (folder / sent[0]).read_bytes() if sent else None
            answers.keep(listener, method, path, answer, request)
        return len(calls)


if __name__ == "__main__":
    unittest.main()
