"""Virtual machines for tests: QEMU started by its pid, its serial console read with time stamps,
its keyboard typed on, its screen looked at, its power cut; disks that are what they say they are; and a
network of bridges and taps in a namespace of their own.

    with Network("br-mgmt") as network, Machine("name", image, nics=[network.nic("br-mgmt")]) as vm:
        vm.wait_for(r"pairing code", seconds=60)

Times are seconds, sizes bytes. Whatever this starts it ends itself, by pid; what went wrong raises
VmError with the end of the console in it. The console of each machine is kept in build/vm/NAME.log.
Only the standard library is used; one thread a machine reads its console.
"""

from disks import Disk, blank_disk, content_digest, esp_disk, state_disk
from host import MIB, REPO, WORK, Budget, VmError, end, run
from images import Image, build_image, payload
from machine import Machine
from network import Network, Nic

__all__ = ["MIB", "REPO", "WORK", "Budget", "Disk", "Image", "Machine", "Network", "Nic", "VmError",
           "blank_disk", "build_image", "content_digest", "end", "esp_disk", "payload", "run",
           "state_disk"]
