"""The founder driven from its description alone: by a client that a library makes out of it, and by
requests made up from its schemas, right and wrong."""

import json
import os
import pathlib
import subprocess
import time
import unittest

import world

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[1]
LONG = os.environ.get("STRATUM_LONG") == "1"


def node(script, *arguments, seconds):
    """(exit code, what it said) of a program of this folder."""
    modules = subprocess.run(
        [REPO / "tests/openapi/install"], capture_output=True, text=True, check=True
    ).stdout.strip()
    done = subprocess.run(
        ["node", HERE / script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=seconds,
        env={**os.environ, "NODE_PATH": modules, "NODE_NO_WARNINGS": "1"},
    )
    return done.returncode, done.stdout


def settings_of(here, **more):
    """What a program needs to know of a founder, in a file."""
    folder = world.machine.write(
        here.folder / "client-machine",
        50,
        "10.77.0.50/24",
        [{"name": "nvme0n1", "gib": 100}, {"name": "nvme1n1", "gib": 100}],
    )
    argv = [world.FIRSTBOOT, "discover", "--root", folder, "--json"]
    inventory = json.loads(subprocess.run(argv, capture_output=True, check=True, timeout=60).stdout)
    inventory["founderInterface"] = "enp1s0"
    (here.folder / "inventory.json").write_text(json.dumps(inventory))
    settings = {
        "adminPort": here.founder.admin_port,
        "joinPort": here.founder.join_port,
        "token": here.founder.token,
        "key": here.founder.key,
        "inventory": str(here.folder / "inventory.json"),
        **more,
    }
    path = here.folder / "settings.json"
    path.write_text(json.dumps(settings))
    return path


class FromTheDescription(unittest.TestCase):
    def test_every_operation_by_a_client_made_of_the_description(self):
        with world.World() as here:
            code, said = node("walk.js", settings_of(here), seconds=120)
            print(f"    {said.strip().splitlines()[-1]}", flush=True)
            self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
