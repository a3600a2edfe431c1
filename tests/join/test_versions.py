"""The order of versions, held against dpkg: that of the unit tests' file, and what the product says of it."""

import itertools
import json
import subprocess
import tempfile
import unittest

import world

ORDER = world.REPO / "tests/common/base/version_order.txt"
# One dpkg each, all asked by one shell: a line a pair, what holds of it.
ASK = """while read -r a b; do
    if dpkg --compare-versions "$a" lt "$b"; then echo "<"
    elif dpkg --compare-versions "$a" eq "$b"; then echo "=="
    elif dpkg --compare-versions "$a" gt "$b"; then echo ">"
    else echo "?"; fi
done"""
RULE_BYTES = 900
RULES = 60


def ranked():
    """[(version, the number of its line)]; "v" in front is ours alone, dpkg does not drop it."""
    lines = [line.split() for line in ORDER.read_text().splitlines() if not line.startswith("#")]
    return [(word.removeprefix("v"), rank) for rank, line in enumerate(lines) for word in line]


def pairs():
    """[(a, sign, b)] of every two, as the file says it."""
    for (a, left), (b, right) in itertools.combinations(ranked(), 2):
        yield a, "==" if left == right else "<", b


def rules():
    """Every pair as a comparison, many of them joined by "and" in one rule."""
    rule = ""
    for a, sign, b in pairs():
        part = f'"{a}" {sign} "{b}" and not "{a}" > "{b}"'
        if len(rule) + len(part) > RULE_BYTES:
            yield rule
            rule = ""
        rule += (" and " if rule else "") + part
    yield rule


class Versions(unittest.TestCase):
    def test_dpkg_orders_every_two_as_the_file_does(self):
        asked = list(pairs())
        self.assertGreater(len({version for version, _ in ranked()}), 100)
        done = subprocess.run(
            ["sh", "-c", ASK],
            input="".join(f"{a} {b}\n" for a, _, b in asked),
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        self.assertEqual(done.stderr, "")  # (dpkg warns of what it takes for no version)
        said = done.stdout.split()
        wrong = [(one, sign) for one, sign in zip(asked, said, strict=True) if one[1] != sign]
        self.assertEqual(wrong, [])

    def test_the_product_orders_every_two_as_the_file_does(self):
        all_rules = list(rules())
        for first in range(0, len(all_rules), RULES):
            some = all_rules[first : first + RULES]
            answer = self.judged({f"rule-{number}": rule for number, rule in enumerate(some)})
            for constraint in answer["constraints"]:
                self.assertEqual(constraint["status"], "ok", constraint["rule"])
            self.assertEqual(len(answer["constraints"]), len(some))

    def test_the_product_says_so_where_an_order_does_not_hold(self):
        (constraint,) = self.judged({"wrong": '"1.0" < "1.0~rc1"'})["constraints"]
        self.assertEqual(constraint["status"], "unsupported")

    def judged(self, rules_by_id):
        """What the doctor says of these rules alone."""
        dropped = [one["id"] for one in self.doctor("")["components"]]
        constraints = [{"id": one["id"], "drop": True} for one in self.doctor("")["constraints"]]
        site = {
            "version": 1,
            "components": [{"id": one, "drop": True} for one in dropped],
            "constraints": constraints
            + [{"id": name, "rule": rule} for name, rule in rules_by_id.items()],
        }
        return self.doctor(json.dumps(site))

    def doctor(self, site):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(site)
            file.flush()
            argv = [world.FIRSTBOOT, "doctor", "--json", *(["--pins", file.name] if site else [])]
            done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
