"""docs/node-yaml.schema.json against the checker: what the checker takes the schema takes, and what
spoils a type, a word, a range, a form or a name the two refuse alike."""

import copy
import json
import pathlib
import subprocess
import tempfile
import unittest

import seed
import world

DOCS = world.REPO / "docs"
SCHEMA = DOCS / "node-yaml.schema.json"
EXAMPLES = sorted(DOCS.glob("examples/*.node.yaml"))
WRONG = {"string": 7, "integer": "7", "boolean": "yes", "array": {}, "object": []}


def judged(texts):
    """What the schema says of each text."""
    modules = subprocess.run(
        [world.REPO / "tests/openapi/install"], capture_output=True, text=True, check=True
    ).stdout.strip()
    done = subprocess.run(
        ["node", seed.HERE / "schema.js", SCHEMA],
        input=json.dumps({"texts": texts}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "NODE_PATH": modules},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def checked(value, folder):
    """The fields that `firstboot --config` complains of."""
    path = pathlib.Path(folder) / "some.node.yaml"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    done = subprocess.run(
        [world.FIRSTBOOT, "--config", path, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said = json.loads(done.stdout)
    assert (done.returncode == 0) == said["valid"], done
    return [one["field"] for one in said["errors"]]


def types_of(schema):
    return [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])


def spoilings(schema, value, path=""):
    """(words, place, new value) of everything the schema forbids about what is there.

    A place is a list of keys; the new value None means: take it away.
    """
    kinds = types_of(schema)
    for kind in kinds:
        if kind != "null":
            yield f"{path} of another type", [], WRONG[kind]
    if "enum" in schema:
        yield f"{path} of another word", [], "nonsense"
    elif "pattern" in schema:
        yield f"{path} of another form", [], "no such form!"
    if "minimum" in schema:
        yield f"{path} too small", [], schema["minimum"] - 1
    if "maximum" in schema:
        yield f"{path} too large", [], schema["maximum"] + 1
    if isinstance(value, dict) and "properties" in schema:
        yield f"{path} with an unknown member", ["nonsense"], 1
        for name in schema.get("required", []):
            yield f"{path}.{name} missing", [name], None
        for name, inner in schema["properties"].items():
            if name in value:
                for words, place, new in spoilings(inner, value[name], f"{path}.{name}".strip(".")):
                    yield words, [name, *place], new
    if isinstance(value, list) and value and "items" in schema:
        for words, place, new in spoilings(schema["items"], value[0], path + "[0]"):
            yield words, [0, *place], new


def spoiled(value, place, new):
    whole = copy.deepcopy(value)
    *way, last = place or [None]
    if last is None:
        return new
    inner = whole
    for key in way:
        inner = inner[key]
    if new is None:
        del inner[last]
    else:
        inner[last] = new
    return whole


BAD = """\
version: 1
node: {id: N1, name: beta, role: hybird}
mgmt:
  interface: lo
  address: 10.77.0.0/24
network:
  connections:
    - {name: a, interface: a0, mtu: 70000, purposes: [oob]}
    - {name: b, interface: a0, kind: vlan, vlanId: 4095, parent: bond9}
"""
PLACES = [
    "2:12: node.id",
    "2:34: node.role",
    "4:14: mgmt.interface",
    "5:12: mgmt.address",
    "8:37: network.connections[0].mtu",
    "8:55: network.connections[0].purposes[0]",
    "9:28: network.connections[1].interface",
    "9:52: network.connections[1].vlanId",
    "9:66: network.connections[1].parent",
]


class Checker(unittest.TestCase):
    def test_it_prints_every_problem_with_its_line_and_column(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.node.yaml"
            path.write_text(BAD)
            done = subprocess.run(
                [world.FIRSTBOOT, "--config", path],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), len(PLACES), done.stderr)
        for place in PLACES:
            (line,) = [one for one in lines if one.startswith(f"{path}:{place}: ")]
            self.assertGreater(len(line), len(f"{path}:{place}: ") + 5, "and what is wrong")


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(SCHEMA.read_text())
        cls.here = seed.SeedWorld()
        cls.addClassCleanup(cls.here.close)
        links = [seed.LINKS[0], seed.BOND, *seed.MEMBERS, {**seed.VLAN, "purposes": ["overlay"]}]
        join = cls.here.paired()
        key = seed.disk_key(join.number, 1, "nvme1n1")
        disks = [{"key": key, "pool": "fast", "confirm": key}]
        answer = cls.here.approve(join, True, links=links, disks=disks, rack="rack-2", az="az-2")
        assert answer.status == 200, answer
        cls.texts = [path.read_text() for path in EXAMPLES] + [seed.CONFIG, answer.json["nodeYaml"]]

    def test_what_the_checker_takes_the_schema_takes(self):
        self.assertTrue(EXAMPLES)
        for text, verdict in zip(self.texts, judged(self.texts)):
            self.assertEqual(checked(text, self.here.folder), [])
            self.assertEqual(verdict["faults"], [], text[:200])

    def test_what_is_absent_may_be_null_or_empty(self):
        value = judged(self.texts[:1])[0]["value"]
        value["provider"] = None
        value["topology"] = {"region": None, "az": "", "x-note": "mine"}
        value["x-note"] = ["mine"]
        self.assertEqual(checked(value, self.here.folder), [])
        self.assertEqual(judged([json.dumps(value)])[0]["faults"], [])

    def test_what_is_spoiled_both_refuse(self):
        count = 0
        for value in [one["value"] for one in judged([self.texts[0], self.texts[-1]])]:
            rows = list(spoilings(self.schema, value))
            texts = [json.dumps(spoiled(value, place, new)) for _, place, new in rows]
            for (words, place, new), text, verdict in zip(rows, texts, judged(texts)):
                with self.subTest(words):
                    self.assertTrue(verdict["faults"], "the schema lets it through")
                    fields = checked(text, self.here.folder)
                    self.assertTrue(fields, "the checker lets it through")
                    count += 1
        self.assertGreater(count, 200)


if __name__ == "__main__":
    unittest.main()
