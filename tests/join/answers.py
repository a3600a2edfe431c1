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


def keep(listener, method, path, status, headers, body):
    """`listener` is admin or join; `path` without the query; `body` the bytes."""
    line = json.dumps(
        {
            "listener": listener,
            "method": method,
            "path": path.split("?")[0],
            "status": status,
            "type": headers.get("content-type", ""),
            "headers": headers,
            "body": body.decode("utf-8", "replace"),
        }
    )
    with _lock, open(FILE, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def check_all():
    """(passed, failed) of the step that validates what was kept."""
    checker = REPO / "tests/openapi/check"
    if not checker.exists():
        print("tests/openapi/check is not there: the answers were not validated")
        return 0, 1
    done = subprocess.run([checker, FILE], check=False)
    return (1, 0) if done.returncode == 0 else (0, 1)
