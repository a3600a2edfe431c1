"""The protocol by clients that are not ours: curl and openssl alone."""

import pathlib
import subprocess
import unittest

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
            code, approved, name, state = done.stdout.split()
            self.assertEqual(founder.joins()[0]["pairingCode"], code)
            self.assertEqual((approved, name, state), ("approved", "by-curl", "joined"))


if __name__ == "__main__":
    unittest.main()
