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
