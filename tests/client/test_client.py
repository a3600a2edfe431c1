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

    def test_every_route_asked_rightly_and_wrongly(self):
        cases = 40000 if LONG else 2000
        seed = int(os.environ.get("STRATUM_SEED", time.time_ns() % 10**9))
        print(f"    seed {seed}, {cases} requests", flush=True)
        with world.World() as here:
            settings = settings_of(here, seed=seed, cases=cases, workers=8)
            code, said = node("fuzz.js", settings, seconds=1800)
            print("".join(f"    {line}\n" for line in said.strip().splitlines()[-3:]), flush=True)
            self.assertEqual(code, 0, said)
            self.assertIsNone(here.founder.program.process.poll(), "the founder lives")
            self.assertNotIn("fault:", here.founder.program.text())
            self.assertEqual(here.founder.program.stop(), 0)

    def test_what_is_not_as_described_is_found(self):
        """The same run against descriptions that say something else than the founder does."""
        with world.World() as here:
            text = here.founder.api.get("/openapi.json").json
            joins = text["paths"]["/v1/admin/cluster/joins/{joinId}"]["get"]
            del joins["responses"]["404"]
            text["components"]["schemas"]["Cluster"]["required"].append("mood")
            text["paths"]["/healthz"]["get"]["security"] = [{"token": []}]
            text["components"]["schemas"]["JoinCodeRequest"]["properties"]["maxUses"]["maximum"] = 7
            spoiled = here.folder / "description.json"
            spoiled.write_text(json.dumps(text))
            settings = settings_of(here, seed=2, cases=700, workers=8, description=str(spoiled))
            code, said = node("fuzz.js", settings, seconds=300)
            self.assertEqual(code, 1, said)
            for fault in (
                r"getNodeJoin \(.*status 404 is not described",
                r"getCluster \(right\): the body .* required property 'mood'",
                r"getHealth \(identity\): somebody was let in who must not be",
                r"join-codes 201: a body was taken that does not fit: at “/maxUses”",
            ):
                self.assertRegex(said, fault)


if __name__ == "__main__":
    unittest.main()
