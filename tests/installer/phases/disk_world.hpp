// A machine with disks for the storage phase: what stands on them is bytes on fake block devices,
// and discovery, udev, LVM, mdadm and wipefs are fakes that read and write the same bytes. So a
// crash anywhere leaves what it would leave on a machine.
//
// A signature is a sector "SIG TYPE UUID LABEL"; a partition table is sector 0, "TABLE" and a line
// "START SIZE" for each partition; a volume is the second sector, "SIG LVM2_member UUID GROUP", and
// its group the third, "GROUP NAME UUID TAGS".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "installer/phases/bodies.hpp"
#include "tests/fakes/fake_block_devices.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_processes.hpp"

namespace stratum::fakes {

class DiskWorld {
public:
    static constexpr std::uint64_t kSize = 16ull << 30;

    DiskWorld();

    // A blank disk /dev/<name>, found by its WWN, which is given back.
    std::string add_disk(const std::string& name);
    void put_table(const std::string& name,
                   const std::vector<std::pair<std::uint64_t, std::uint64_t>>& partitions);
    void put_signature(const std::string& name, std::uint64_t offset, const std::string& type,
                       const std::string& uuid, const std::string& label = {});
    // A group made by somebody else on whole disks.
    void put_group(const std::string& group, const std::vector<std::string>& names,
                   const std::string& tags = {});
    // An array that udev assembled over linux_raid_member signatures of this uuid.
    void assemble(const std::string& uuid);

    // Orders a disk as it is now: identity and digest from a look.
    config::NodeDisk& order(const std::string& key, const std::string& role,
                            const std::string& pool = {});
    // Runs the storage phase with the journal as it is on disk. A crash is passed on.
    Status run();
    // The kernel forgets and looks anew; udev assembles what it finds.
    void reboot();

    facts::Inventory look() const;
    facts::Disk disk(const std::string& name) const;
    installer::PhaseContext context(installer::Journal& journal);
    installer::Journal open_journal();
    std::vector<std::string> group_members(const std::string& group) const;

    FakeFiles files;
    FakeProcesses processes;
    FakeClock clock;
    FakeBlockDevices blocks;
    config::NodeConfig node;
    std::vector<std::string> log;
    std::string yaml, tar;
    // Crash before or after the n-th program from now.
    int crash_before_program = 0, crash_after_program = 0;
    int programs = 0;
    std::function<void()> before_look;
    std::function<void(facts::Inventory&)> spoil_look;

private:
    struct FakeDisk {
        std::string key, serial;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> kernel_partitions;
    };
    using Act = std::function<Result<Finished>(const Command&)>;

    void on(const std::vector<std::string>& prefix, Act act);
    void read_table(const std::string& name);
    std::string pvs(const Command& command) const;
    Result<Finished> pvcreate(const Command& command);
    Result<Finished> make_group(const Command& command, bool is_new);
    void wipe_signatures(const std::string& path);

    std::map<std::string, FakeDisk> disks_;
    std::vector<std::string> assembled_; // uuids of arrays
    int made_ = 0;
};

} // namespace stratum::fakes
