"""Every answer that a test client sees, kept, and held against docs/openapi.yaml at the end.

Clients write one JSON line an answer (`keep`); `check_all` has tests/openapi/check judge them: each
must be described, and each route × status of the description must have been seen.
"""

import json
import os
import pathlib
import subprocess
import threading

REPO = pathlib.Path(__file__).resolve().parents[2]
FILE = pathlib.Path(os.environ.get("STRATUM_ANSWERS", REPO / "build/answers.jsonl"))
_lock = threading.Lock()


def start_anew():
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("")


def keep(listener, method, path, answer, sent=None):
    """`listener` is admin or join; `sent` the bytes of the request's body, if it had one."""
    line = json.dumps(
        {
            "listener": listener,
            "method": method,
            "path": path.split("?")[0],
            "status": answer.status,
            "type": answer.headers.get("content-type", ""),
            "headers": answer.headers,
            "body": answer.body.decode("utf-8", "replace"),
            "sent": (sent or b"").decode("utf-8", "replace"),
        }
    )
    with _lock, open(FILE, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def check_all():
    """(passed, failed) of the two steps: the description is linted, and holds for what was kept."""
    steps = [[REPO / "tests/openapi/lint"], [REPO / "tests/openapi/check", FILE]]
    failed = sum(subprocess.run(step, check=False).returncode != 0 for step in steps)
    return len(steps) - failed, failed
