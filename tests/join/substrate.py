"""Stand-ins for the programs that a matrix asks, as small scripts, and the pins that ask them.

What this machine has installed itself then plays no part.
"""

import pathlib
import re

ADVICE = {"ovs": "install openvswitch-switch", "ovn-controller": "install ovn-host"}
SAYS = {
    "ovs": "ovs-vswitchd (Open vSwitch) {}",
    "ovn-controller": "ovn-controller {}",
}
RIGHT = {"ovs": "3.5.0", "ovn-controller": "25.03.1"}
BUILD_PINS = pathlib.Path(__file__).parents[2] / "image" / "pins.yaml"
# Every program of the build's own pins that no script here stands in for.
DROPPED = [one for one in re.findall(r"^  - id: (\S+)\n    class: host$", BUILD_PINS.read_text(), re.M)
           if one not in RIGHT]
PINS = """\
version: 1
components:
{dropped}
  - id: ovs
    class: host
    probe: {{argv: [{folder}/ovs, --version], output: "ovs-vswitchd (Open vSwitch) {{version}}"}}
    range: ">=3.1 <4.0"
    testedAgainst: "3.5.0"
    advice: {ADVICE[ovs]}
  - id: ovn-controller
    class: host
    probe: {{argv: [{folder}/ovn-controller, --version], output: "ovn-controller {{version}}"}}
    range: ">=24.03 <26.00"
    testedAgainst: "25.03.1"
    advice: {ADVICE[ovn-controller]}
"""


def program(folder, name, text):
    """What the program does from now on, as a shell script; None: it is not installed."""
    path = pathlib.Path(folder) / name
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)


def version(folder, name, text):
    program(folder, name, f"echo '{SAYS[name].format(text)}'")


def write(folder, **versions):
    """Programs of these versions (by default all that fit), and the path of their pins.yaml."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, fits in RIGHT.items():
        version(folder, name, versions.get(name.replace("-", "_"), fits))
    dropped = "\n".join(f"  - {{id: {one}, drop: true}}" for one in DROPPED)
    pins = folder / "pins.yaml"
    pins.write_text(PINS.format(folder=folder, dropped=dropped, ADVICE=ADVICE))
    return pins


def report(ovn="25.03.1", ovs="3.5.0", **changed):
    """A member's report as it goes over the wire, judged as the pins above judge it."""
    fits = ovn is not None and ovn.startswith("25.03")
    status = "warn" if ovn is None else "ok" if fits else "unsupported"
    note = {} if fits else {"note": f"ovn-central is 25.03.1, ovn-controller is {ovn}: mend it"}
    controller = {
        "id": "ovn-controller",
        "class": "host",
        "detected": ovn,
        "supported": {"range": ">=24.03 <26.00", "testedAgainst": "25.03.1"},
        "status": "warn" if ovn is None else "ok",
        "source": "host-probe",
    }
    if ovn is None:
        controller["note"] = "its version is not known"
    central = {
        "id": "ovn-central",
        "class": "shipped",
        "detected": "25.03.1",
        "supported": {"pinned": "ovn-central:25.03.1"},
        "status": "ok",
        "source": "image-pin",
    }
    switch = {
        **controller,
        "id": "ovs",
        "detected": ovs,
        "supported": {"range": ">=3.1 <4.0", "testedAgainst": "3.5.0"},
        "status": "ok",
    }
    switch.pop("note", None)
    rule = {
        "id": "ovn-central-controller-match",
        "rule": "ovn-central.major_minor == ovn-controller.major_minor",
        "status": status,
        **note,
    }
    return {
        "stratumVersion": "0.6.0",
        "overallStatus": status,
        "components": [central, controller, switch],
        "constraints": [rule],
        **changed,
    }
