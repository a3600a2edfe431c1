#include "hwdiscovery/disk_reader.hpp"
#include "hwdiscovery/install_record.hpp"
#include "hwdiscovery/machine.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

TEST_GROUP(HwMachine) {
    MemoryTree tree;
};

TEST(HwMachine, what_the_maker_filled_in_is_taken) {
    tree.files["/sys/class/dmi/id/sys_vendor"] = "QEMU\n";
    tree.files["/sys/class/dmi/id/product_name"] = "Standard PC (Q35 + ICH9, 2009)\n";
    tree.files["/sys/class/dmi/id/product_serial"] = "J3X9K2\n";
    tree.files["/sys/class/dmi/id/product_uuid"] = "4C4C4544-0033-5810-8039-CAC04F4B3258\n";
    const auto machine = read_machine(tree);
    STRCMP_EQUAL("QEMU", machine.vendor.c_str());
    STRCMP_EQUAL("J3X9K2", machine.serial.c_str());
    STRCMP_EQUAL("4c4c4544-0033-5810-8039-cac04f4b3258", machine.uuid.c_str());
    STRCMP_EQUAL("qemu", machine.virtual_kind.c_str());
}

TEST(HwMachine, placeholders_are_not_known) {
    tree.files["/sys/class/dmi/id/sys_vendor"] = "System manufacturer\n";
    tree.files["/sys/class/dmi/id/product_name"] = "To Be Filled By O.E.M.\n";
    tree.files["/sys/class/dmi/id/product_serial"] = "Default string\n";
    tree.files["/sys/class/dmi/id/product_uuid"] = "03000200-0400-0500-0006-000700080009\n";
    CHECK(read_machine(tree) == facts::Machine{});
    CHECK(read_machine(MemoryTree{}) == facts::Machine{});
}

TEST(HwMachine, a_cpu_has_its_cores_not_its_threads) {
    const auto cpu = parse_cpuinfo("processor\t: 0\nmodel name\t: AMD EPYC\nphysical id\t: 0\n"
                                   "core id\t\t: 0\nflags\t\t: fpu svm\n\nprocessor\t: 1\n"
                                   "physical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu svm\n");
    LONGS_EQUAL(1, cpu.cores.value_or(0));
    STRCMP_EQUAL("AMD EPYC", cpu.model.c_str());
    STRCMP_EQUAL("svm", cpu.virtualization.value_or("absent").c_str());
}

TEST(HwMachine, a_cpu_with_neither_is_known_to_have_neither_and_one_without_flags_is_unknown) {
    STRCMP_EQUAL("", parse_cpuinfo("flags : fpu\n").virtualization.value_or("absent").c_str());
    STRCMP_EQUAL("vmx", parse_cpuinfo("flags : vmx\n").virtualization.value_or("absent").c_str());
    CHECK(!parse_cpuinfo("processor : 0\nFeatures : fp\n").virtualization.has_value());
    CHECK(!parse_cpuinfo("").cores.has_value());
}

TEST(HwMachine, each_physical_id_is_a_socket_and_each_core_of_each_counts) {
    std::string text;
    for (int cpu = 0; cpu < 8; ++cpu)
        text += "processor\t: " + std::to_string(cpu) +
                "\nphysical id\t: " + std::to_string(cpu / 4) +
                "\ncore id\t\t: " + std::to_string(cpu % 2) + "\n\n";
    const auto cpu = parse_cpuinfo(text);
    LONGS_EQUAL(2, cpu.sockets.value_or(0));
    LONGS_EQUAL(4, cpu.cores.value_or(0));
    CHECK(!parse_cpuinfo("processor : 0\n").sockets.has_value());
}

TEST(HwMachine, where_cpuinfo_has_no_sockets_the_topology_has_and_minus_one_is_none) {
    tree.files["/proc/cpuinfo"] = "processor : 0\nprocessor : 1\n";
    const std::string folder = "/sys/devices/system/cpu/";
    for (const char* name : {"cpu0", "cpu1"}) {
        tree.files[folder + name + "/topology/physical_package_id"] = "36\n";
        tree.files[folder + name + "/topology/core_cpus_list"] = "0-1\n";
    }
    tree.files[folder + "cpufreq/topology/physical_package_id"] = "9\n";
    LONGS_EQUAL(1, read_cpu(tree).sockets.value_or(0));
    LONGS_EQUAL(1, read_cpu(tree).cores.value_or(0));
    for (const char* name : {"cpu0", "cpu1"})
        tree.files[folder + name + "/topology/physical_package_id"] = "-1\n";
    CHECK(!read_cpu(tree).sockets.has_value());
}

TEST(HwMachine, firmware_is_uefi_bios_or_not_known) {
    STRCMP_EQUAL("", read_machine(tree).firmware.c_str());
    tree.files["/sys/class/dmi/id/bios_vendor"] = "SeaBIOS\n";
    STRCMP_EQUAL("", read_machine(tree).firmware.c_str()); // nobody looked into /sys/firmware
    tree.files["/sys/firmware/memmap/0/start"] = "0x0\n";
    STRCMP_EQUAL("bios", read_machine(tree).firmware.c_str());
    tree.files["/sys/firmware/efi/fw_platform_size"] = "64\n";
    STRCMP_EQUAL("uefi", read_machine(tree).firmware.c_str());
}

TEST(HwMachine, secure_boot_is_the_byte_behind_the_attributes) {
    const char* const path =
        "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
    CHECK(!read_machine(tree).secure_boot.has_value());
    tree.files[path] = std::string("\x06\0\0\0\x01", 5);
    CHECK(read_machine(tree).secure_boot == true);
    tree.files[path] = std::string("\x06\0\0\0\0", 5);
    CHECK(read_machine(tree).secure_boot == false);
    for (const auto& odd : {std::string(), std::string("\x06\0\0\0", 4), std::string("\1"),
                            std::string("\x06\0\0\0\x02", 5), std::string(6, '\1')}) {
        tree.files[path] = odd;
        CHECK(!read_machine(tree).secure_boot.has_value());
    }
}

TEST(HwMachine, a_tpm_is_there_with_its_version_is_not_there_or_nobody_knows) {
    CHECK(!read_machine(tree).tpm.has_value());
    tree.files["/sys/firmware/acpi/tables/DSDT"] = "x";
    CHECK(read_machine(tree).tpm == false);
    tree.files["/sys/firmware/acpi/tables/TPM2"] = "x"; // its driver is not loaded
    CHECK(read_machine(tree).tpm == true);
    STRCMP_EQUAL("2.0", read_machine(tree).tpm_version.c_str());
    tree.files["/sys/class/tpm/tpm0/tpm_version_major"] = "1\n";
    STRCMP_EQUAL("1.2", read_machine(tree).tpm_version.c_str());
    tree.files["/sys/class/tpm/tpm0/tpm_version_major"] = "7\n";
    STRCMP_EQUAL("", read_machine(tree).tpm_version.c_str());
    CHECK(read_machine(tree).tpm == true);
}

TEST(HwMachine, a_virtual_machine_says_which_and_a_clouds_whole_machine_is_none) {
    const auto kind = [&](const char* vendor, const char* product) {
        tree.files["/sys/class/dmi/id/sys_vendor"] = vendor;
        tree.files["/sys/class/dmi/id/product_name"] = product;
        return read_machine(tree).virtual_kind;
    };
    STRCMP_EQUAL("vmware", kind("VMware, Inc.", "VMware7,1").c_str());
    STRCMP_EQUAL("hyper-v", kind("Microsoft Corporation", "Virtual Machine").c_str());
    STRCMP_EQUAL("", kind("Microsoft Corporation", "Surface Laptop").c_str());
    STRCMP_EQUAL("kvm", kind("Red Hat", "KVM").c_str());
    STRCMP_EQUAL("amazon", kind("Amazon EC2", "m5.large").c_str());
    STRCMP_EQUAL("", kind("Amazon EC2", "m5.metal").c_str());
    STRCMP_EQUAL("", kind("Dell Inc.", "PowerEdge R650").c_str());
    tree.files["/sys/hypervisor/type"] = "xen\n";
    STRCMP_EQUAL("xen", kind("Dell Inc.", "PowerEdge R650").c_str());
    tree.files["/proc/xen/capabilities"] = "control_d\n"; // the machine's own domain
    STRCMP_EQUAL("", kind("Dell Inc.", "PowerEdge R650").c_str());
}

TEST(HwMachine, a_cpu_below_a_hypervisor_that_nobody_names_is_a_virtual_machine_all_the_same) {
    tree.files["/proc/cpuinfo"] = "flags\t\t: fpu hypervisor\n";
    STRCMP_EQUAL("other", read_machine(tree).virtual_kind.c_str());
    tree.files["/proc/cpuinfo"] = "flags\t\t: fpu\n";
    STRCMP_EQUAL("", read_machine(tree).virtual_kind.c_str());
}

TEST(HwMachine, a_uuid_that_many_machines_have_or_that_is_none_is_not_known) {
    const auto uuid = [&](const char* text) {
        tree.files["/sys/class/dmi/id/product_uuid"] = text;
        return read_machine(tree).uuid;
    };
    STRCMP_EQUAL("00000000-0000-0000-0000-ac1f6b123456",
                 uuid("00000000-0000-0000-0000-AC1F6B123456\n").c_str());
    for (const char* text :
         {"00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
          "00020003-0004-0005-0006-000700080009", "12345678-1234-5678-90AB-CDDEEFAABBCC",
          "FEFEFEFE-FEFE-FEFE-FEFE-FEFEFEFEFEFE", "Not Settable", "4c4c4544-0033-5810-8039",
          "4c4c4544-0033-5810-8039-cac04f4b325g"})
        STRCMP_EQUAL("", uuid(text).c_str());
}

TEST(HwMachine, a_number_that_nobody_filled_in_is_not_known) {
    const auto serial = [&](const char* text) {
        tree.files["/sys/class/dmi/id/product_serial"] = text;
        return read_machine(tree).serial;
    };
    STRCMP_EQUAL("CZJ1234567", serial("CZJ1234567").c_str());
    for (const char* text :
         {"To Be Filled By O.E.M.", "System Serial Number", "0123456789", "Not Specified",
          "Default string", "00000000", "None", "Undefined", "Chassis Serial Number", "...", " "})
        STRCMP_EQUAL("", serial(text).c_str());
}

TEST(HwMachine, memory_is_in_bytes) {
    CHECK(parse_memory_bytes("MemFree: 1 kB\nMemTotal:  1024 kB\n") == 1048576u);
    CHECK(!parse_memory_bytes("MemTotal: many kB\n").has_value());
}

TEST(HwMachine, the_hostname_is_the_kernels_then_the_files) {
    tree.files["/etc/hostname"] = "from-file\n";
    STRCMP_EQUAL("from-file", read_hostname(tree).c_str());
    tree.files["/proc/sys/kernel/hostname"] = "from-kernel\n";
    STRCMP_EQUAL("from-kernel", read_hostname(tree).c_str());
}

TEST(HwMachine, an_install_record_is_read_from_either_place) {
    tree.files["/var/lib/stratum/install-record.json"] =
        R"({"version":1,"release":"25.03","osDiskLayout":"compute-tail","disks":["0x5000c500a1b2c301"],
            "oobInterface":"eno1","later":true})";
    const auto record = read_install_record(tree);
    CHECK(record.has_value());
    STRCMP_EQUAL("compute-tail", record->os_disk_layout.c_str());
    STRCMP_EQUAL("eno1", record->oob_interface.c_str());
    CHECK(record->disks == std::vector<std::string>{"0x5000c500a1b2c301"});
}

TEST(HwMachine, an_install_record_that_makes_no_sense_is_none) {
    CHECK(!parse_install_record("not json"));
    CHECK(!parse_install_record("{}"));
    CHECK(!parse_install_record(R"({"version":2})"));
    CHECK(!parse_install_record(R"({"version":1,"osDiskLayout":"other"})"));
    CHECK(!read_install_record(tree));
}

TEST(HwMachine, the_boot_loaders_variable_is_utf16_behind_its_attributes) {
    STRCMP_EQUAL("ab-1", parse_efi_text(std::string("\x06\0\0\0A\0B\0-\0001\0\0\0", 14)).c_str());
    STRCMP_EQUAL("", parse_efi_text("").c_str());
}
