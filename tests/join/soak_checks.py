"""What must hold of a founder's store at any instant, read from its file by Python's own SQLite,
and of what it acknowledged. Each check gives back sentences; none is good."""

import collections
import hashlib
import json
import re
import sqlite3
import time

import world

ENUMS = (world.REPO / "founder/store/store.hpp").read_text()
KEPT_LINES = 2000
LIVE = ("needs-upgrade", "pending", "approved", "delivering", "installing", "failed")
ENDS_BY_TIME = ("needs-upgrade", "pending")
PLACED = ("approved", "delivering", "installing", "joined", "failed")
# What each acknowledged action leaves a join in, at first; it may have gone on from there.
AFTER = {
    "approve": ("approved", "delivering", "installing", "joined", "failed", "rejected"),
    "reject": ("rejected",),
    "retry": ("approved", "delivering", "installing", "joined", "failed", "rejected"),
    "progress joined": ("joined", "rejected"),
    "progress failed": PLACED + ("rejected",),
    "register": LIVE + ("joined", "rejected", "expired"),
}
AUDITED = {
    "approve": "cluster.join.approved",
    "reject": "cluster.join.rejected",
    "retry": "cluster.join.retried",
    "code": "cluster.join-code.created",
    "progress joined": "cluster.join.joined",
}


def enumerators(name):
    """{enumerator: number} of an enum of the store."""
    body = re.search(rf"enum class {name} {{(.*?)}};", ENUMS, re.S)[1]
    names = re.findall(r"^\s*k(\w+),", body, re.M)
    return {one: number for number, one in enumerate(names)}


KIND, CLAIM = enumerators("Kind"), enumerators("Claim")


def table_of(kind):
    """The table that has the records of a kind (founder/store/edge/sqlite_schema.hpp)."""
    if kind in ("Join", "Inventory", "NodeYaml", "Bundle"):
        return "own"
    return {"Audit": "audit", "AuditHead": "hot", "JoinChange": "hot"}.get(kind, "record")


class Store:
    """The file as it is now, read whole in one transaction."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
        database.execute("begin")
        self.integrity = [row[0] for row in database.execute("pragma integrity_check")]
        self.records = collections.defaultdict(dict)
        for table in ("record", "own", "audit", "hot"):
            for kind, key, value in database.execute(f"select kind, id, value from {table}"):
                if kind >= 0:  # the others are counters
                    self.records[kind][key] = bytes(value)
        self.claims = list(database.execute("select claim, value, owner from claim"))
        database.close()

    def all(self, kind):
        return {key: json.loads(value) for key, value in self.records[KIND[kind]].items()}

    def raw(self, kind):
        return self.records[KIND[kind]]

    def claimed(self, claim):
        """{value: owner}"""
        return {value: owner for number, value, owner in self.claims if number == CLAIM[claim]}


def check_store(store):
    """Nothing is half there, and nothing is held twice."""
    if store.integrity != ["ok"]:
        yield f"integrity_check: {store.integrity}"
    joins, members = store.all("Join"), store.all("Member")
    addresses, names = store.claimed("Address"), store.claimed("Name")
    keys = store.claimed("JoinKey")
    ordered = {key: value.decode() for key, value in store.raw("JoinOrder").items()}
    if sorted(ordered.values()) != sorted(joins):
        yield "the order of joins does not name each join once"
    if set(store.raw("LiveJoin")) != {key for key, join in joins.items() if join["state"] in LIVE}:
        yield "the live joins are not those that are not over"
    for key, note in store.raw("LiveJoin").items():
        join = joins.get(key, {})
        due = join.get("expiresAt", 0) if join.get("state") in ENDS_BY_TIME else 2**63
        if int(note.split()[-1]) > (0 if join.get("state") in ("delivering", "installing") else due):
            yield f"{key} is {join.get('state')} and noted to be looked at not before {note.decode()}"
    held = collections.Counter()
    for key, join in joins.items():
        state = join["state"]
        yield from check_join(store, key, join)
        mine = {value for value, owner in addresses.items() if owner == key}
        if state in PLACED and mine != set(join["addresses"]):
            yield f"{key} is {state}, has {join['addresses']} and claims {sorted(mine)}"
        if state not in PLACED and mine:
            yield f"{key} is {state} and claims {sorted(mine)}"
        if (names.get(join.get("name")) == key) != (state in PLACED):
            yield f"{key} is {state}, and its name is held by {names.get(join.get('name'))}"
        if state not in ("rejected", "expired") and keys.get(join["keyFingerprint"]) != key:
            yield f"{key} is {state} and does not hold its key"
        if state in PLACED:
            held.update(join["addresses"])
    yield from (f"address {one} is given {count} times" for one, count in held.items() if count > 1)
    yield from check_counts(store, joins, members)


def check_join(store, key, join):
    state = join["state"]
    revealed = bool(join.get("joinerNonce"))
    if revealed != (key in store.raw("Inventory")) or revealed != bool(join.get("pairingCode")):
        yield f"{key} is {state} and only half revealed"
    if state in PLACED and not (join.get("assignment") and key in store.raw("NodeYaml")):
        yield f"{key} is {state} without an assignment or a node.yaml"
    if state in ("delivering", "installing", "joined") and key not in store.raw("Bundle"):
        yield f"{key} is {state} without a bundle"
    lines = [one for one in store.raw("LogLine") if one.startswith(key + "/")]
    numbers = sorted(int(one.rsplit("/", 1)[1]) for one in lines)
    ever = join["logLines"]
    if numbers != list(range(ever - min(ever, KEPT_LINES) + 1, ever + 1)):
        yield f"{key} has {ever} lines, and kept {numbers[:5]}…{numbers[-5:]}"


def check_counts(store, joins, members):
    """What is counted at one place and listed at another."""
    used = collections.Counter(join["codeId"] for join in joins.values())
    for key, code in store.all("JoinCode").items():
        if code["uses"] != used[key]:
            yield f"code {key} says {code['uses']} uses, {used[key]} joins have it"
    by_join = {member["joinId"]: member for member in members.values() if member.get("joinId")}
    for key, join in joins.items():
        row = by_join.get(key)
        if join["state"] in ("delivering", "installing", "joined") and row is None:
            yield f"{key} is {join['state']} and has no row among the members"
        if row and (join["state"] == "joined") != (row["status"] in ("joined", "removing")):
            yield f"{key} is {join['state']}, its row says {row['status']}"
    running = [key for key, join in joins.items() if join["state"] in ("delivering", "installing")]
    if len(running) > 1:
        yield f"more than one join runs: {running}"


CHAINED = ("action", "actor", "from", "object", "result", "detail", "requestId")


def chained(before, sequence, at, entry):
    """The hash of an entry as docs/protocol.md says, from the hash before and the API's fields."""
    fields = [str(sequence), at, *(entry.get(name, "") for name in CHAINED)]
    text = b"".join(len(one.encode()).to_bytes(4, "big") + one.encode() for one in fields)
    return hashlib.sha256(b"stratum-audit-v1\0" + before + text).digest()


def check_chain(store, entries):
    """Each entry's hash is made of it and the one before; the last is the head's."""
    before = bytes(32)
    for entry in entries:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(entry["at"]))
        before = chained(before, entry["sequence"], at, entry)
        if before.hex() != entry["hash"]:
            yield f"audit entry {entry['sequence']} breaks the chain"
            before = bytes.fromhex(entry["hash"])
    (head,) = store.all("AuditHead").values()
    if (head["sequence"], head["hash"]) != (len(entries), before.hex()):
        yield f"the audit's head is entry {head['sequence']}, the last one is {len(entries)}"


def check_audit(entries):
    """Numbered without a gap, oldest first; times never go back."""
    numbers = [entry["sequence"] for entry in entries]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the audit's numbers have gaps: {numbers[:5]}…{numbers[-5:]}"
    for before, after in zip(entries, entries[1:]):
        if after["at"] < before["at"]:
            yield f"audit entry {after['sequence']} is older than the one before"


def check_said(store, said):
    """Everything that was acknowledged is there."""
    joins = store.all("Join")
    audited = collections.defaultdict(list)
    for entry in store.all("Audit").values():
        if entry["result"] == "ok":
            audited[entry.get("requestId")].append(entry["action"])
    last = {}
    for one in said:
        if one.join_id not in (store.raw("JoinCode") if one.action == "code" else joins):
            yield f"{one.join_id} is gone, after “{one.action}” was answered {one.status}"
            continue
        wanted = AUDITED.get(one.action)
        if one.action == "register" and one.status == 201:
            wanted = "cluster.join.registered"
        if wanted and audited[one.request_id].count(wanted) != 1:
            yield f"“{one.action}” {one.request_id}: {audited[one.request_id]} in the audit"
        last[one.join_id, one.action] = one
    removing = {m.get("joinId") for m in store.all("Member").values() if m["status"] == "removing"}
    for one in last.values():
        if one.join_id in joins:
            yield from check_still(joins[one.join_id], one, removing)


def check_still(join, one, removing):
    """The join has not gone back behind what was said of it."""
    key, state = join["id"], join["state"]
    if one.action in AFTER and state not in AFTER[one.action]:
        yield f"{key} is {state}, though “{one.action}” was answered {one.status}"
    if one.action == "remove" and state != "rejected" and key not in removing:
        yield f"{key} is {state} and stays a member, though its removal was answered {one.status}"
    if one.body.get("revision", 0) > join["revision"]:
        yield f"{key} went back from revision {one.body['revision']} to {join['revision']}"
    if one.action == "reveal" and not join.get("joinerNonce"):
        yield f"{key} is not revealed any more"


def check_lines(store, lines):
    """Each acknowledged line of a run is kept, once."""
    joins = store.all("Join")
    kept = collections.defaultdict(list)
    for key, value in store.raw("LogLine").items():
        kept[key.split("/")[0]].append(json.loads(value)["line"])
    for join_id, (attempt, last) in lines.items():
        if joins[join_id]["attempt"] == attempt and joins[join_id]["lastSeq"] < last:
            yield f"{join_id} forgot lines {joins[join_id]['lastSeq'] + 1} to {last}"
        for line, count in collections.Counter(kept[join_id]).items():
            if count > 1:
                yield f"{join_id} keeps “{line}” {count} times"
        told = {f"{join_id} {attempt}/{seq}" for seq in range(1, last + 1)}
        if len(kept[join_id]) < KEPT_LINES and told - set(kept[join_id]):
            yield f"{join_id} lost {sorted(told - set(kept[join_id]))[:3]}"


def check_api(store, api):
    """The API tells what the store holds. Nobody changes anything meanwhile."""
    told, cursor = {}, ""
    while cursor is not None:
        page = api.get("/v1/admin/cluster/joins?limit=100" + cursor).json
        told.update({join["id"]: (join["state"], join["revision"]) for join in page["joins"]})
        cursor = f"&cursor={page['nextCursor']}" if "nextCursor" in page else None
    kept = {key: (join["state"], join["revision"]) for key, join in store.all("Join").items()}
    if told != kept:
        yield f"the API and the store differ: {sorted(set(told.items()) ^ set(kept.items()))[:6]}"
    entries, cursor = [], ""
    while cursor is not None:
        page = api.get("/v1/admin/audit?limit=1000" + cursor).json
        entries += page["entries"]
        cursor = f"&cursor={page['nextCursor']}" if "nextCursor" in page else None
    told, before = [], bytes(32)
    for entry in reversed(entries):
        before = chained(before, entry["seq"], entry["at"], entry)
        told.append((entry["seq"], entry["hash"], before.hex()))
    kept = sorted((e["sequence"], e["hash"], e["hash"]) for e in store.all("Audit").values())
    if told != kept:
        yield f"the API's audit and the store's differ: {sorted(set(told) ^ set(kept))[:3]}"


def check_all(store, load):
    audit = sorted(store.all("Audit").values(), key=lambda entry: entry["sequence"])
    return [
        *check_store(store),
        *check_audit(audit),
        *check_chain(store, audit),
        *check_said(store, load.said),
        *check_lines(store, load.lines),
    ]
