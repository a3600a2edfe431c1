"""The request's body: copyFrom, and every field of an assignment with its default and its rules."""

import socket
import unittest
from unittest import mock

import own_network
import seed
from seed import BOND, JOINS, LINKS, MEMBERS, VLAN, Statements, disk_key

COPY = {"copyFrom": "n-alpha"}


def link_of(plan, name):
    return next((one for one in plan["links"] if one["name"] == name), None)


def renamed(**names):
    """The machine's NICs under other names, in their order."""
    return [{**nic, "name": names.get(nic["name"], nic["name"])} for nic in seed.MACHINE["nics"]]


class Copy(Statements):
    """Founder alpha is the source; machines differ from it in one thing each."""

    def test_s030_s075_s078_the_founders_links_and_disks_and_what_the_request_names_instead(self):
        plan = self.plan(beside=COPY, rack="rack-9", links=[{**LINKS[1], "interface": "enp4s0"}])
        self.assertEqual(plan["copiedFrom"], "n-alpha")
        self.assertEqual((plan["rack"], plan["az"]), ("rack-9", "az-1"))
        self.assertEqual(link_of(plan, "storage")["interface"], "enp2s0")
        self.assertEqual(link_of(plan, "overlay")["interface"], "enp4s0")
        self.assertEqual([one["name"] for one in plan["links"]], ["storage", "overlay"])
        self.assertEqual([one["role"] for one in plan["disks"]], ["compute", "ceph-osd"])
        self.assertEqual(
            (plan["disks"][0]["pool"], plan["disks"][0]["storageClass"]), ("fast", "gold")
        )
        self.assertEqual(plan["role"], "hybrid")

    def test_s031_disks_are_matched_by_model_and_size(self):
        plan = self.plan(beside=COPY)
        keys = [
            disk_key(self.machine.number, 0, "nvme0n1"),
            disk_key(self.machine.number, 2, "sda"),
        ]
        self.assertEqual([one["key"] for one in plan["disks"]], keys)
        small = self.here.paired(disks=[{"name": "nvme0n1", "gib": 500}, seed.MACHINE["disks"][2]])
        plan = self.plan(small, COPY)
        self.assertEqual([one["key"] for one in plan["disks"]], [disk_key(small.number, 1, "sda")])
        self.assertIn("no usable disk here has this model and size", self.notes(plan))

    def test_s032_a_nic_keeps_its_name_with_the_same_driver_and_a_compatible_speed(self):
        self.assertNotIn("NIC enp2s0", self.notes(self.plan(beside=COPY)))
        slow = [dict(nic) for nic in seed.MACHINE["nics"]]
        slow[1]["speed"] = 1000
        other = self.here.paired(nics=slow)
        self.assertEqual(link_of(self.plan(other, COPY), "storage")["interface"], "enp4s0")

        def rebrand(inventory):
            inventory["nics"][1]["driver"] = "another"

        other = self.here.paired(rebrand)
        self.assertEqual(link_of(self.plan(other, COPY), "storage")["interface"], "enp4s0")

    def test_s033_the_others_are_matched_in_the_order_of_names_and_listed(self):
        other = self.here.paired(nics=renamed(enp2s0="ens10", enp3s0="ens9", enp4s0="ens11"))
        plan = self.plan(other, COPY)
        self.assertEqual(link_of(plan, "storage")["interface"], "ens9")
        self.assertEqual(link_of(plan, "overlay")["interface"], "ens10")
        self.assertIn(
            "NIC enp2s0 of alpha is taken to be ens9 here (driver, speed and MTU fit; so do those of "
            "ens10, ens11): check it",
            self.notes(plan),
        )
        narrow = renamed(enp2s0="ens9", enp3s0="ens10", enp4s0="ens11")
        narrow[1]["max_mtu"] = 1500
        plan = self.plan(self.here.paired(nics=narrow), COPY)
        self.assertEqual(link_of(plan, "storage")["interface"], "ens10", "the MTU's class must fit")

    def test_s034_s076_a_nic_without_a_match_leaves_its_link_out_with_a_note(self):
        few = [seed.MACHINE["nics"][0], seed.MACHINE["nics"][1]]
        other = self.here.paired(nics=few)
        answer = self.here.approve(other, True, COPY)
        self.assertEqual(answer.json["code"], "JOIN_APPROVAL_REFUSED")
        self.assertEqual([one["field"] for one in answer.json["errors"]], ["links"])
        notes = "\n".join(answer.json["details"]["copyNotes"])
        self.assertIn("link overlay is left out: no NIC here matches enp3s0 of alpha", notes)

    def test_s035_the_management_nic_is_the_one_that_registered(self):
        def moved(inventory):
            one, two = inventory["nics"][0], inventory["nics"][1]
            one["addresses"], two["addresses"] = two.get("addresses", []), one["addresses"]
            inventory["founderInterface"] = "enp2s0"

        other = self.here.paired(moved)
        plan = self.plan(other, COPY, provider={"upstreamInterface": "enp4s0"})
        self.assertEqual(plan["mgmt"]["interface"], "enp2s0")
        # alpha's storage is on a NIC of that name; here it is taken.
        self.assertEqual(link_of(plan, "storage")["interface"], "enp1s0")

    def test_s036_addresses_are_never_copied(self):
        plan = self.plan(beside=COPY)
        self.assertEqual(link_of(plan, "storage")["addresses"], ["10.77.10.3/24"])
        self.assertTrue(link_of(plan, "storage")["addressesAllocated"])
        self.assertNotIn("confirm", plan["disks"][0])
        self.assertNotEqual((plan["name"], plan["mgmt"]["address"]), ("alpha", "10.77.0.1/24"))

    def test_s037_without_both_the_first_nodes_links_where_each_has_its_nic(self):
        answer = self.api.post(f"{JOINS}/{self.machine.id}/approve?dryRun=true", {})
        self.assertEqual(answer.status, 200, answer)
        plan = answer.json["assignment"]
        self.assertEqual([one["interface"] for one in plan["links"]], ["enp2s0", "enp3s0"])
        self.assertEqual((plan["copiedFrom"], plan["disks"]), ("n-alpha", []))

    def test_s038_else_nothing_is_applied_and_it_is_said_why(self):
        other = self.here.paired(nics=[seed.MACHINE["nics"][0], seed.MACHINE["nics"][1]])
        answer = self.api.post(f"{JOINS}/{other.id}/approve?dryRun=true", {})
        self.assertEqual((answer.status, answer.code), (409, "JOIN_APPROVAL_REFUSED"), answer)
        notes = "\n".join(answer.json["details"]["copyNotes"])
        self.assertIn(
            "nothing was copied: not every link of the first node, alpha, has its NIC here", notes
        )

    def test_s039_none_and_an_empty_list_apply_nothing(self):
        for body in ({"copyFrom": "none"}, {"assignment": {"links": []}}):
            answer = self.api.post(f"{JOINS}/{self.machine.id}/approve?dryRun=true", body)
            self.assertEqual((answer.status, answer.code), (409, "JOIN_APPROVAL_REFUSED"), answer)
            self.assertEqual({one["field"] for one in answer.json["errors"]}, {"links"})
            self.assertNotIn("copyNotes", answer.json["details"])


class CopyOfAJoiner(Statements):
    def test_s077_a_node_that_joined_gives_its_assignment(self):
        links = [{**LINKS[0], "interface": "enp4s0"}, LINKS[1]]
        disk = {"key": disk_key(2, 0, "nvme0n1"), "pool": "silver"}
        first = self.here.joined(name="beta", rack="rack-7", links=links, disks=[disk])
        node = self.founder.wait_state(first.id, "joined")["nodeId"]
        plan = self.plan(beside={"copyFrom": node})
        self.assertEqual((plan["copiedFrom"], plan["rack"]), (node, "rack-7"))
        self.assertEqual(link_of(plan, "storage")["interface"], "enp4s0")
        self.assertEqual(
            [(one["key"], one["pool"]) for one in plan["disks"]],
            [(disk_key(self.machine.number, 0, "nvme0n1"), "silver")],
        )
        # A node that only is approved has joined nothing yet.
        second = self.here.approved(name="gamma")
        self.refused("copyFrom", beside={"copyFrom": self.founder.join(second.id)["nodeId"]})


class Fields(Statements):
    def test_s040_it_becomes_the_node_yaml_and_the_member_row(self):
        join = self.here.delivering(name="delta", rack="rack-4")
        yaml = self.api.get(f"{JOINS}/{join.id}/node.yaml").body.decode()
        self.assertEqual(join.call("GET", "/node.yaml").body.decode(), yaml)
        self.assertIn("name: delta", yaml)
        rows = self.api.get("/v1/admin/cluster/members").json["members"]
        (row,) = [one for one in rows if one["name"] == "delta"]
        self.assertEqual(row["nodeId"], self.founder.join(join.id)["nodeId"])
        links = self.founder.join(join.id)["assignment"]["links"]
        self.assertEqual(
            row["addresses"], [address for one in links for address in one["addresses"]]
        )

    def test_s041_what_the_cluster_decides_is_not_in_it_and_adopted(self):
        yaml = self.node()
        for text in ("region: here", "parentDomain: cloud.example.org", "upstreamDns:"):
            self.assertIn(text, yaml)
        for name in (
            "region",
            "parentDomain",
            "upstreamDns",
            "floatingIps",
            "firstAdmin",
            "services",
        ):
            self.refused(name, status=400, **{name: "mine"})

    def test_s042_the_name_defaults_to_the_hostname(self):
        self.assertEqual(self.plan()["name"], f"node{self.machine.number}")

        def nameless(inventory):
            inventory["hostname"] = "localhost.localdomain"

        dry = self.dry(self.here.paired(nameless))
        self.assertEqual(dry["assignment"]["name"], dry["nodeId"])

    def test_s043_the_role_defaults_to_hybrid(self):
        self.assertEqual(self.plan()["role"], "hybrid")
        self.assertEqual(self.plan(role="hybrid")["role"], "hybrid")

    def test_s044_the_rack_is_the_topologys(self):
        self.assertIn("topology:\n  region: here\n  rack: rack-3\n", self.node(rack="rack-3"))

    def test_s045_mgmt_defaults_to_where_the_machine_registered_from(self):
        own = own_network.own_address()
        self.assertTrue(own, "tests/api/run makes a network where there is none")

        def held(inventory):
            inventory["nics"][1]["addresses"] = [{"cidr": f"{own}/24", "how": "static"}]

        connect = socket.create_connection

        def from_own(address, timeout, _):
            return connect(address, timeout, (own, 0))

        with mock.patch("socket.create_connection", from_own):
            join = self.here.paired(held)
        self.assertEqual(self.founder.join(join.id)["address"], own)
        links = [{**LINKS[0], "interface": "enp4s0"}, LINKS[1]]
        plan = self.plan(join, links=links)
        self.assertEqual(plan["mgmt"]["interface"], "enp2s0", "whatever reaches the founder")
        self.assertEqual(plan["mgmt"]["address"], f"{own}/24")
        self.assertEqual(self.notes(plan), "")

    def test_s045_behind_nat_the_nic_that_reaches_the_founder_stands_in(self):
        plan = self.plan()
        address = f"10.77.0.{100 + self.machine.number}/24"
        self.assertEqual((plan["mgmt"]["interface"], plan["mgmt"]["address"]), ("enp1s0", address))
        self.assertIn("no NIC holds 127.0.0.1", self.notes(plan))

    def test_s046_an_address_alone_where_it_stands_and_a_cidr_with_gateway_where_it_is_new(self):
        own = f"10.77.0.{100 + self.machine.number}"
        self.assertEqual(self.plan(mgmt={"address": own})["mgmt"]["address"], own + "/24")
        self.refused("mgmt.address", mgmt={"address": "10.77.0.200"})
        self.refused("mgmt.address", mgmt={"address": "10.77.0.200/24"})
        new = {"address": "10.77.0.200/24", "gateway": "10.77.0.254"}
        mgmt = self.plan(mgmt=new)["mgmt"]
        self.assertEqual((mgmt["address"], mgmt["gateway"]), (new["address"], new["gateway"]))

    def test_s047_s049_s052_s053_a_bond_of_ethernet_links_and_a_vlan_on_it(self):
        links = [LINKS[0], BOND, *MEMBERS, {**VLAN, "purposes": ["overlay"]}]
        plan = self.plan(links=links)
        self.assertEqual(
            [one["kind"] for one in plan["links"]],
            ["ethernet", "bond", "ethernet", "ethernet", "vlan"],
        )
        self.assertEqual(
            [one.get("controller") for one in plan["links"]], [None, None, "bond0", "bond0", None]
        )
        self.assertEqual((plan["links"][4]["parent"], plan["links"][4]["vlanId"]), ("bond0", 90))
        on_nic = {**VLAN, "parent": "enp3s0", "purposes": ["overlay"]}
        self.assertEqual(self.plan(links=[LINKS[0], on_nic])["links"][1]["parent"], "enp3s0")
        self.refused(
            "links[1].bond",
            "links[2].controller",
            links=[
                LINKS[0],
                {**BOND, "purposes": ["overlay"]},
                {**MEMBERS[0], "controller": "bond7"},
            ],
        )
        self.refused(
            "links[1].parent",
            links=[LINKS[0], {**VLAN, "parent": "enp9s0", "purposes": ["overlay"]}],
        )
        self.refused("links[1].parent", links=[LINKS[0], {**LINKS[1], "parent": "enp4s0"}])

    def test_s048_a_link_has_the_shape_of_a_connection(self):
        links = [LINKS[0], BOND, *MEMBERS, {**VLAN, "purposes": ["overlay"]}]
        dry = self.dry(links=links)
        for link in dry["assignment"]["links"]:
            for name in link:
                self.assertIn(f"{name}:", dry["nodeYaml"])
        self.assertIn("controller: bond0", dry["nodeYaml"])

    def test_s050_the_lifelines_are_no_links(self):
        for purpose in ("oob", "mgmt"):
            self.refused(
                "links[2].purposes[0]",
                links=[*LINKS, {"name": "x", "interface": "enp4s0", "purposes": [purpose]}],
            )

    def test_s051_the_kind_defaults_to_ethernet(self):
        self.assertEqual([one["kind"] for one in self.plan()["links"]], ["ethernet", "ethernet"])

    def test_s054_s058_named_addresses_are_taken_as_they_are_and_must_be_free_and_at_home(self):
        named = self.plan(links=[{**LINKS[0], "addresses": ["10.77.10.77/24"]}, LINKS[1]])["links"][
            0
        ]
        self.assertEqual(named["addresses"], ["10.77.10.77/24"])
        self.assertNotIn("addressesAllocated", named)
        for address in (
            "10.77.10.1/24",
            "10.77.10.2/24",
            "10.77.10.254/24",
            "10.77.20.9/24",
            "10.77.10.9/16",
            "10.77.10.0/24",
        ):
            with self.subTest(address):
                self.refused(
                    "links[0].addresses[0]", links=[{**LINKS[0], "addresses": [address]}, LINKS[1]]
                )

    def test_s059_none_on_a_bonds_member_or_a_provider_only_link(self):
        links = [LINKS[0], BOND, *MEMBERS, {**VLAN, "purposes": ["overlay"]}]
        links[2] = {**links[2], "addresses": ["10.77.20.9/24"]}
        self.refused("links[2].addresses[0]", links=links)
        up = {"name": "up", "interface": "enp4s0", "purposes": ["provider"]}
        self.assertNotIn("addresses", self.plan(links=[*LINKS, up])["links"][2])
        self.refused("links[2].addresses[0]", links=[*LINKS, {**up, "addresses": ["192.0.2.9/24"]}])

    def test_s060_addresses_allocated_is_ignored_on_input(self):
        said = [{**LINKS[0], "addressesAllocated": True, "addresses": ["10.77.10.9/24"]}, LINKS[1]]
        self.assertNotIn("addressesAllocated", self.plan(links=said)["links"][0])
        again = self.plan()
        self.assertEqual(
            self.plan(**{key: value for key, value in again.items()})["links"][0]["addresses"],
            again["links"][0]["addresses"],
        )

    def test_s061_the_mtu_defaults_to_the_largest_of_the_networks(self):
        self.assertEqual([one["mtu"] for one in self.plan()["links"]], [9000, 1500])
        both = [{"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]}]
        self.assertEqual(self.plan(links=both)["links"][0]["mtu"], 9000)

    def test_s062_system_disks_are_not_for_the_taking(self):
        (message,) = self.refused(
            "disks[0].key", disks=[{"key": disk_key(self.machine.number, 3, "sdb"), "pool": "x"}]
        )
        self.assertIn("is a system disk", message)

    def test_s063_a_disk_that_holds_data_needs_its_key_again(self):
        key = disk_key(self.machine.number, 1, "nvme1n1")
        (message,) = self.refused("disks[0].confirm", disks=[{"key": key, "pool": "x"}])
        self.assertIn("ext4 “old”", message)
        self.refused("disks[0].confirm", disks=[{"key": key, "pool": "x", "confirm": "yes"}])
        wipes = self.dry(disks=[{"key": key, "pool": "x", "confirm": key}])["wipes"]
        self.assertEqual(
            [(one["key"], one["losses"]) for one in wipes], [(key, ["ext4 “old” on /dev/nvme1n1"])]
        )

    def test_s064_a_key_is_a_wwn_or_a_by_id_path(self):
        def with_path(inventory):
            inventory["disks"][0]["byId"] = [
                "/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456"
            ]

        join = self.here.paired(with_path)
        wwn = disk_key(join.number, 0, "nvme0n1")
        for key in (wwn, "/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456"):
            self.assertEqual(
                self.plan(join, disks=[{"key": key, "pool": "x"}])["disks"][0]["key"], key
            )
        (message,) = self.refused(
            "disks[0].key", join=join, disks=[{"key": "/dev/nvme0n1", "pool": "x"}]
        )
        self.assertIn(wwn, message)

    def test_s065_s066_pool_and_storage_class(self):
        key = disk_key(self.machine.number, 0, "nvme0n1")
        (disk,) = self.plan(disks=[{"key": key, "pool": "fast"}])["disks"]
        self.assertEqual(
            (disk["role"], disk["pool"], disk["storageClass"]), ("compute", "fast", "fast")
        )
        (disk,) = self.plan(disks=[{"key": key, "pool": "fast", "storageClass": "gold"}])["disks"]
        self.assertEqual(disk["storageClass"], "gold")
        self.refused("disks[0].pool", disks=[{"key": key}])
        self.refused("disks[0].pool", disks=[{"key": key, "role": "ceph-osd", "pool": "fast"}])

    def test_s067_the_ntp_servers_default_to_the_clusters(self):
        self.assertEqual(self.plan()["ntpServers"], ["ntp.example.org"])
        self.assertEqual(self.plan(ntpServers=["192.0.2.7"])["ntpServers"], ["192.0.2.7"])

    def test_s068_the_provider_defaults_to_the_clusters(self):
        networks = self.api.get("/v1/admin/cluster/networks").json
        told = {name: networks[name] for name in networks if name.startswith("provider")}
        self.assertEqual(
            told,
            {
                "providerTopology": "bridged",
                "providerVlan": 30,
                "providerUpstreamInterface": "enp1s0",
                "providerUpstreamPurpose": "mgmt",
            },
        )
        self.assertEqual(
            self.plan()["provider"],
            {"topology": "bridged", "vlan": 30, "upstreamInterface": "enp1s0"},
        )

    def test_s069_topology_and_vlan_are_the_clusters(self):
        self.refused("provider.topology", provider={"topology": "routed"})
        self.refused("provider.vlan", provider={"vlan": 31})
        self.plan(provider={"topology": "bridged", "vlan": 30})

    def test_s070_the_uplink_is_the_interface_that_carries_provider(self):
        up = {"name": "up", "interface": "enp4s0", "purposes": ["provider"]}
        self.assertEqual(self.plan(links=[*LINKS, up])["provider"]["upstreamInterface"], "enp4s0")

    def test_s071_else_the_nic_of_the_founders_uplinks_purpose(self):
        links = [{"name": "up", "interface": "enp1s0"}, *LINKS]
        self.assertEqual(self.plan(links=links)["provider"]["upstreamInterface"], "enp1s0")
        self.assertEqual(self.plan()["mgmt"]["interface"], "enp1s0")

    def test_s074_a_bridged_uplink_carries_no_storage_or_overlay(self):
        self.refused("provider.upstreamInterface", provider={"upstreamInterface": "enp2s0"})
        over = {**VLAN, "parent": "enp3s0", "purposes": ["overlay"]}
        self.plan(links=[LINKS[0], over], provider={"upstreamInterface": "enp3s0"})
        # What mgmt.interface got wrong is not said again of the uplink that follows it.
        self.refused("mgmt.interface", mgmt={"interface": "enp9s0"})


NAMED = seed.CONFIG.replace(
    "upstreamInterface: enp1s0, upstreamPurpose: mgmt", "upstreamInterface: enp4s0"
)


class NamedUplink(Statements):
    CONFIG = NAMED

    def test_s072_else_the_nic_named_like_the_founders(self):
        self.assertEqual(self.plan()["provider"]["upstreamInterface"], "enp4s0")

    def test_s073_a_bridged_cluster_refuses_a_machine_without_it(self):
        other = self.here.paired(nics=seed.MACHINE["nics"][:3])
        (message,) = self.refused("provider.upstreamInterface", join=other)
        self.assertIn("no NIC like the founder's uplink, enp4s0", message)
        self.refused(
            "provider.upstreamInterface", join=other, provider={"upstreamInterface": "enp4s0"}
        )
        self.assertEqual(
            self.plan(other, provider={"upstreamInterface": "enp1s0"})["provider"][
                "upstreamInterface"
            ],
            "enp1s0",
        )


class Held(Statements):
    """Free is what no member, virtual address or other approved, running or failed join holds."""

    def address(self, join):
        return self.founder.join(join.id)["assignment"]["links"][0]["addresses"][0]

    def test_s055_s056_s057_who_holds_an_address_and_who_keeps_it(self):
        failed = self.here.failed(name="failed")
        running = self.here.delivering(name="running")
        approved = self.here.approved(name="approved")
        held = [self.address(join) for join in (failed, running, approved)]
        self.assertEqual(held, ["10.77.10.3/24", "10.77.10.4/24", "10.77.10.5/24"])
        self.assertEqual(self.plan()["links"][0]["addresses"], ["10.77.10.6/24"])
        for address, holder in zip(held, ("failed", "running", "approved")):
            (message,) = self.refused(
                "links[0].addresses[0]", links=[{**LINKS[0], "addresses": [address]}, LINKS[1]]
            )
            self.assertIn(holder, message)
        # Approved again: the same; a retry installs the same.
        before = self.founder.join(approved.id)
        self.assertEqual(self.here.approve(approved, name="again").status, 200)
        after = self.founder.join(approved.id)
        self.assertEqual((after["name"], after["nodeId"]), ("again", before["nodeId"]))
        self.assertEqual(after["assignment"]["links"], before["assignment"]["links"])
        before = self.founder.join(failed.id)
        self.assertEqual(self.api.post(f"{JOINS}/{failed.id}/retry").status, 200)
        self.assertEqual(self.founder.join(failed.id)["assignment"], before["assignment"])
        # What is rejected holds nothing; what asks for a taken address gets another.
        self.assertEqual(self.api.post(f"{JOINS}/{approved.id}/reject").status, 200)
        self.assertEqual(self.plan()["links"][0]["addresses"], ["10.77.10.5/24"])


if __name__ == "__main__":
    unittest.main()
