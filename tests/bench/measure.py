"""What is measured, one function each: it gives back {"what": {unit, ours, peer, peerIs}} with the raw
figures of every run."""

import concurrent.futures
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

REPO = pathlib.Path(__file__).resolve().parents[2]
FIRSTBOOT = os.environ.get("STRATUM_FIRSTBOOT", str(REPO / "build/firstboot"))


def size(_runs):
    """The binary; the peer is what a Debian machine needs for curl and openssl to speak HTTPS."""
    ours = os.path.getsize(FIRSTBOOT)
    files = set()
    for program in ("curl", "openssl"):
        path = shutil.which(program)
        files.add(os.path.realpath(path))
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
        for word in listed.split():
            if word.startswith("/"):
                files.add(os.path.realpath(word))
    peer = sum(os.path.getsize(file) for file in files)
    return {
        "binary": {
            "unit": "bytes",
            "ours": [ours],
            "peer": [peer],
            "peerIs": "curl and openssl with their libraries",
        }
    }


def run_once(argv):
    """(wall milliseconds, most resident kilobytes) of one process. The memory is asked of time(1):
    of a child of ours the kernel would also count what this program was before the exec."""
    began = time.perf_counter()
    pid = os.posix_spawnp(
        argv[0], argv, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    )
    _, status = os.waitpid(pid, 0)
    wall = (time.perf_counter() - began) * 1000
    if status != 0:
        raise RuntimeError(f"{argv} ended with {status}")
    said = subprocess.run(
        ["/usr/bin/time", "-f", "%M", *argv], capture_output=True, text=True, check=True
    )
    return wall, int(said.stderr.split()[-1])


def start(runs):
    """Starting and saying what it is, against openssl doing the same; 20 starts a run."""
    rows = {"ours": [], "peer": [], "ours_rss": [], "peer_rss": []}
    for _ in range(runs):
        for who, argv in (("ours", [FIRSTBOOT, "--version"]), ("peer", ["openssl", "version"])):
            results = [run_once(argv) for _ in range(20)]
            rows[who].append(sorted(wall for wall, _ in results)[10])
            rows[who + "_rss"].append(max(rss for _, rss in results))
    return {
        "start": {
            "unit": "ms",
            "ours": rows["ours"],
            "peer": rows["peer"],
            "peerIs": "openssl version",
        },
        "start, resident": {
            "unit": "KiB",
            "ours": rows["ours_rss"],
            "peer": rows["peer_rss"],
            "peerIs": "openssl version",
        },
    }


def boot(runs):
    """From the start of QEMU to the pairing code, against the same kernel and root with a payload
    that only prints a line. Seconds, and the processor seconds that the machine cost."""
    import cluster as stage
    import harness

    harness.Budget.limit = harness.Budget.limit_by_uefi = 1000
    rows = {"ours": [], "peer": [], "ours_cpu": [], "peer_cpu": []}
    folder = harness.WORK / "bench"
    for number in range(runs):
        with stage.Cluster(folder) as cluster:
            joiner = stage.Joiner(cluster, folder)
            for who, program, pattern in (
                ("ours", stage.FIRSTBOOT, stage.PAIRING_CODE),
                ("peer", harness.payload(), r"payload started on /dev/ttyS0"),
            ):
                image = harness.build_image(f"bench-{who}", program)
                append = f"stratum.join={cluster.join_uri(note='bench')}" if who == "ours" else ""
                with harness.Machine(
                    f"bench-{who}-{number}", image, disks=joiner.disks, nics=joiner.nics, append=append
                ) as vm:
                    vm.wait_for(pattern, seconds=600)
                    rows[who].append(vm.seconds)
                    rows[who + "_cpu"].append(vm.cpu_seconds)
    peer_is = "the same image with an empty payload"
    return {
        "QEMU start to pairing code": {
            "unit": "s",
            "ours": rows["ours"],
            "peer": rows["peer"],
            "peerIs": peer_is,
        },
        "the same, processor time": {
            "unit": "CPU s",
            "ours": rows["ours_cpu"],
            "peer": rows["peer_cpu"],
            "peerIs": peer_is,
        },
    }


NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port} ssl; ssl_protocols TLSv1.2 TLSv1.3;
    ssl_certificate {folder}/client.pem; ssl_certificate_key {folder}/client.pem;
    ssl_verify_client optional_no_ca;
    location / {{ return 201 '{{"id": "nj-00000000", "founderNonce": "{zeros}"}}'; }}
  }}
}}
"""


def registrations(runs):
    """Pairings a second: a registration and its reveal, each over a connection of its own with a
    client certificate. Our founder (proofs checked, rows committed, audited) against nginx, which
    only answers the same two calls."""
    import machine_client
    import pairing
    import world

    count, at_once = 100, 4
    inventory = {"hostname": "bench", "disks": [], "nics": []}
    rows = {"ours": [], "peer": [], "rss": []}
    with world.World() as here:
        machines = [machine_client.Machine(here, number) for number in range(1, at_once + 1)]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-nginx-"))
        shutil.copy(machines[0].certificate, folder / "client.pem")
        port = here.founder.join_port + 1
        (folder / "conf").write_text(NGINX.format(folder=folder, port=port, zeros="0" * 64))
        nginx = subprocess.Popen(["nginx", "-c", folder / "conf"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)

            def register(machine, code, to_port):
                for _ in range(count // at_once):
                    machine.nonce = pairing.new_nonce()
                    client = machine.http
                    client.port = to_port
                    path = "/v1/join/registrations"
                    answer = client.post(path, machine.registration(code))
                    reveal = {"nonce": machine.nonce.hex(), "inventory": inventory}
                    revealed = client.post(f"{path}/{answer.json['id']}/reveal", reveal)
                    if answer.status != 201 or revealed.status not in (200, 201):
                        raise RuntimeError(f"{answer} {revealed}")

            for _ in range(runs):
                code = here.founder.join_code(maxUses=count)["code"]
                for who, to_port in (("ours", here.founder.join_port), ("peer", port)):
                    began = time.perf_counter()
                    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                        for done in [pool.submit(register, m, code, to_port) for m in machines]:
                            done.result()
                    rows[who].append(count / (time.perf_counter() - began))
                status = pathlib.Path(f"/proc/{here.founder.program.pid}/status").read_text()
                rows["rss"].append(int(status.split("VmRSS:")[1].split()[0]))
        finally:
            nginx.terminate()
            nginx.wait()
            shutil.rmtree(folder)
    return {
        "pairings": {
            "unit": "per second",
            "ours": rows["ours"],
            "peer": rows["peer"],
            "peerIs": "nginx answering 201 to the same calls",
        },
        "founder, resident": {"unit": "KiB", "ours": rows["rss"]},
    }


def of_load(name):
    """One of load.py, whose modules are a suite's own."""

    def measured(runs):
        import load

        return getattr(load, name)(runs)

    return measured


def of_discovery(runs):
    import discovery

    return discovery.discovery(runs)


def of_compat(runs):
    import compat

    return compat.compat(runs)


# Whose modules each one imports.
SUITE = {
    "boot": "vm",
    "registrations": "join",
    "approvals": "join",
    "lists": "join",
    "many": "join",
    "compat": "join",
}
ALL = {
    "discovery": of_discovery,
    "size": size,
    "start": start,
    "boot": boot,
    "registrations": registrations,
    "approvals": of_load("approvals"),
    "lists": of_load("lists"),
    "many": of_load("many"),
    "compat": of_compat,
}
