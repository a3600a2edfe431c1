#include "tests/installer/phases/disk_world.hpp"

#include <algorithm>
#include <set>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::fakes {
namespace {

constexpr std::uint64_t kSector = 512;

std::string hex(const Sha256& digest) {
    return to_hex(digest);
}

std::string path_of(const std::string& name) {
    return "/dev/" + name;
}

std::string partition_path(const std::string& name, std::size_t index) {
    return path_of(name) + std::to_string(index + 1);
}

Finished done(std::string out = {}) {
    Finished finished;
    finished.exit_code = 0;
    finished.out = std::move(out);
    return finished;
}

Finished failed(const std::string& err) {
    Finished finished;
    finished.exit_code = 5;
    finished.err = err + "\n";
    return finished;
}

facts::Hold hold_of(const std::string& text, const std::string& device, std::uint64_t offset) {
    const auto parts = words(text);
    facts::Hold hold;
    hold.type = parts.at(1);
    hold.kind = hold.type == "LVM2_member"         ? "lvm"
                : hold.type == "linux_raid_member" ? "raid"
                                                   : "filesystem";
    hold.uuid = parts.size() > 2 ? parts[2] : "";
    hold.label = parts.size() > 3 ? parts[3] : "";
    hold.device = device;
    hold.offset_bytes = offset;
    return hold;
}

std::vector<std::string> listed_after(const Command& command, const std::string& option) {
    const auto at = std::find(command.argv.begin(), command.argv.end(), option);
    if (at == command.argv.end() || at + 1 == command.argv.end()) return {};
    return split(*(at + 1), ',');
}

std::vector<std::string> devices_at_end(const Command& command) {
    std::vector<std::string> devices;
    for (auto at = command.argv.rbegin(); at != command.argv.rend(); ++at) {
        if (!at->starts_with("/dev/") || at->find(',') != std::string::npos) break;
        devices.insert(devices.begin(), *at);
    }
    return devices;
}

} // namespace

DiskWorld::DiskWorld() {
    node.node_id = "n-2";
    node.name = "node-2";
    node.join_id = "j-1";
    node.attempt = 1;
    (void)files.make_folder("/state");
    blocks.on_reread = [this](const std::string& path) -> Status {
        read_table(path.substr(5));
        return {};
    };
    on({"udevadm", "settle"}, [](const Command&) { return done(); });
    on({"wipefs", "--all", "--quiet"}, [this](const Command& command) {
        wipe_signatures(command.argv.back());
        return done();
    });
    on({"mdadm", "--stop"}, [this](const Command&) {
        assembled_.clear();
        return done();
    });
    on({"pvs"}, [this](const Command& command) { return done(pvs(command)); });
    on({"pvcreate"}, [this](const Command& command) { return pvcreate(command); });
    on({"vgcreate"}, [this](const Command& command) { return make_group(command, true); });
    on({"vgextend"}, [this](const Command& command) { return make_group(command, false); });
}

void DiskWorld::on(const std::vector<std::string>& prefix, Act act) {
    processes.on(prefix, [this, act = std::move(act)](const Command& command) -> Result<Finished> {
        ++programs;
        if (crash_before_program > 0 && --crash_before_program == 0) throw Crash();
        auto finished = act(command);
        if (crash_after_program > 0 && --crash_after_program == 0) throw Crash();
        return finished;
    });
}

std::string DiskWorld::add_disk(const std::string& name) {
    FakeDisk disk;
    const auto number = std::to_string(disks_.size() + 1);
    disk.key = "0x5000c500a1b2c30" + number;
    disk.serial = "SER-ABCD-70" + number;
    disks_[name] = disk;
    blocks.add(path_of(name), kSize);
    return disk.key;
}

void DiskWorld::put_table(const std::string& name,
                          const std::vector<std::pair<std::uint64_t, std::uint64_t>>& partitions) {
    std::string text = "TABLE\n";
    for (const auto& [start, size] : partitions) {
        text.append(std::to_string(start)).append(" ").append(std::to_string(size)).append("\n");
    }
    blocks.put(path_of(name), 0, text);
    read_table(name);
}

void DiskWorld::read_table(const std::string& name) {
    FakeDisk& disk = disks_.at(name);
    disk.kernel_partitions.clear();
    const auto sectors = blocks.sectors(path_of(name));
    const auto first = sectors.find(0);
    if (first == sectors.end() || !first->second.starts_with("TABLE")) return;
    for (const auto& line : split(first->second, '\n')) {
        const auto parts = words(line);
        if (parts.size() != 2) continue;
        disk.kernel_partitions.emplace_back(*parse_decimal(parts[0]), *parse_decimal(parts[1]));
    }
}

void DiskWorld::put_signature(const std::string& name, std::uint64_t offset,
                              const std::string& type, const std::string& uuid,
                              const std::string& label) {
    blocks.put(path_of(name), offset, "SIG " + type + " " + uuid + " " + label);
}

void DiskWorld::put_group(const std::string& group, const std::vector<std::string>& names,
                          const std::string& tags) {
    const std::string text = "GROUP " + group + " GROUP-" + std::to_string(++made_) + " " + tags;
    for (const auto& name : names) {
        put_signature(name, kSector, "LVM2_member", "PV-" + std::to_string(++made_), group);
        blocks.put(path_of(name), 2 * kSector, text);
    }
}

void DiskWorld::assemble(const std::string& uuid) {
    if (std::find(assembled_.begin(), assembled_.end(), uuid) == assembled_.end()) {
        assembled_.push_back(uuid);
    }
}

config::NodeDisk& DiskWorld::order(const std::string& key, const std::string& role,
                                   const std::string& pool) {
    config::NodeDisk order;
    order.choice.key = key;
    order.choice.role = role;
    if (!pool.empty()) order.choice.pool = pool;
    for (const facts::Disk& disk : look().disks) {
        if (disk.wwn != key) continue;
        order.path = disk.path;
        order.serial = disk.serial;
        order.size_bytes = disk.size_bytes;
        order.digest = hex(facts::contents_digest(disk));
    }
    node.disks.push_back(order);
    return node.disks.back();
}

installer::Journal DiskWorld::open_journal() {
    auto journal = installer::Journal::open(files, "/state/journal.json");
    (void)journal.value().begin(node.join_id, static_cast<int>(node.attempt), "yaml");
    return *journal;
}

installer::PhaseContext DiskWorld::context(installer::Journal& journal) {
    installer::PhaseContext context{.node = node,
                                    .node_yaml = yaml,
                                    .bundle_tar = tar,
                                    .state_folder = "/state",
                                    .files = files,
                                    .processes = processes,
                                    .clock = clock,
                                    .journal = journal,
                                    .blocks = &blocks,
                                    .look = {},
                                    .founder_reachable = [] { return true; },
                                    .sleep_ms = {},
                                    .percent = [](int) {},
                                    .log = {}};
    context.look = [this]() -> Result<facts::Inventory> {
        if (before_look) before_look();
        auto machine = look();
        if (spoil_look) spoil_look(machine);
        return machine;
    };
    context.sleep_ms = [this](std::int64_t wait_ms) {
        clock.advance_ms(wait_ms);
        return true;
    };
    context.log = [this](const std::string& line) { log.push_back(line); };
    return context;
}

Status DiskWorld::run() {
    auto journal = open_journal();
    auto now = context(journal);
    return installer::run_storage(now);
}

void DiskWorld::reboot() {
    assembled_.clear();
    for (const auto& [name, disk] : disks_) {
        read_table(name);
        const facts::Disk now = this->disk(name);
        for (const auto& hold : now.holds.value()) {
            if (hold.type == "linux_raid_member") assemble(hold.uuid);
        }
    }
}

facts::Disk DiskWorld::disk(const std::string& name) const {
    const FakeDisk& fake = disks_.at(name);
    facts::Disk disk;
    disk.name = name;
    disk.path = path_of(name);
    disk.wwn = fake.key;
    disk.serial = fake.serial;
    disk.model = "Fake 16G";
    disk.size_bytes = kSize;
    disk.transport = "sata";
    disk.holds = std::vector<facts::Hold>{};
    for (const auto& [start, size] : fake.kernel_partitions) {
        facts::Partition partition;
        partition.path = partition_path(name, disk.partitions.size());
        partition.number = static_cast<int>(disk.partitions.size()) + 1;
        partition.start_bytes = start;
        partition.size_bytes = size;
        partition.holds = std::vector<facts::Hold>{};
        disk.partitions.push_back(partition);
    }
    for (const auto& [at, text] : blocks.sectors(disk.path)) {
        if (text.starts_with("TABLE")) {
            disk.holds->push_back({"partition-table", "dos", "", "", disk.path, 510});
        }
        if (!text.starts_with("SIG ")) continue;
        auto hold = hold_of(text, disk.path, at);
        bool is_inside = false;
        for (auto& partition : disk.partitions) {
            if (at < partition.start_bytes || at >= partition.start_bytes + partition.size_bytes) {
                continue;
            }
            hold.device = partition.path;
            hold.offset_bytes = at - partition.start_bytes;
            partition.holds->push_back(hold);
            is_inside = true;
        }
        // libblkid looks at a device's ends, not into partitions that the kernel does not know.
        if (is_inside || at < (1u << 20) || at >= kSize - (1u << 20)) disk.holds->push_back(hold);
        const bool is_up =
            std::find(assembled_.begin(), assembled_.end(), hold.uuid) != assembled_.end();
        if (hold.type != "linux_raid_member" || !is_up) continue;
        facts::StackLayer layer;
        layer.name = "md127";
        layer.path = "/dev/md127";
        layer.kind = "md";
        layer.uuid = hold.uuid;
        layer.members = {hold.device.substr(5)};
        layer.open = false;
        disk.stack.push_back(layer);
    }
    return disk;
}

facts::Inventory DiskWorld::look() const {
    facts::Inventory machine;
    machine.hostname = "rack-7";
    for (const auto& [name, fake] : disks_) machine.disks.push_back(disk(name));
    return machine;
}

std::string DiskWorld::pvs(const Command& command) const {
    const auto only = listed_after(command, "--devices");
    std::string rows;
    for (const auto& [name, fake] : disks_) {
        if (!only.empty() && std::find(only.begin(), only.end(), path_of(name)) == only.end()) {
            continue;
        }
        const auto sectors = blocks.sectors(path_of(name));
        const auto label = sectors.find(kSector);
        if (label == sectors.end() || !label->second.starts_with("SIG LVM2_member")) continue;
        const auto head = words(label->second);
        const auto meta = sectors.find(2 * kSector);
        const auto group = meta == sectors.end() ? std::vector<std::string>{} : words(meta->second);
        const auto part = [&](std::size_t i) { return i < group.size() ? group[i] : ""; };
        rows += rows.empty() ? "" : ",";
        rows += "{\"pv_name\":\"" + path_of(name) + "\", \"pv_uuid\":\"" + head.at(2) +
                "\", \"vg_name\":\"" + part(1) + "\", \"vg_uuid\":\"" + part(2) +
                "\", \"vg_tags\":\"" + part(3) + "\"}";
    }
    return "  {\n \"report\": [ {\n \"pv\": [\n" + rows + "]\n } ]\n }\n";
}

Result<Finished> DiskWorld::pvcreate(const Command& command) {
    const auto allowed = listed_after(command, "--devices");
    for (const auto& device : devices_at_end(command)) {
        if (std::find(allowed.begin(), allowed.end(), device) == allowed.end()) {
            return failed("Cannot use " + device + ": device is not in --devices");
        }
        const auto sectors = blocks.sectors(device);
        const auto meta = sectors.find(2 * kSector);
        if (meta != sectors.end() && meta->second.starts_with("GROUP ")) {
            return failed("Can't initialize physical volume " + device + " without -ff");
        }
        // Options as real: without --zero n the first four sectors are cleared.
        const bool keeps = listed_after(command, "--zero") == std::vector<std::string>{"n"};
        if (!keeps) blocks.put(device, 0, std::string(4 * kSector, '\0'));
        blocks.put(device, kSector, std::string(kSector, '\0'));
        blocks.put(device, kSector, "SIG LVM2_member PV-" + std::to_string(++made_));
    }
    return done();
}

Result<Finished> DiskWorld::make_group(const Command& command, bool is_new) {
    const auto devices = devices_at_end(command);
    const std::string name = *(command.argv.end() - static_cast<long>(devices.size()) - 1);
    const auto tags = listed_after(command, "--addtag");
    std::string text =
        "GROUP " + name + " GROUP-" + std::to_string(++made_) + " " + join(tags, ",");
    if (!is_new) {
        const auto members = group_members(name);
        if (members.empty()) return failed("Volume group " + name + " not found");
        text = blocks.sectors(path_of(members.front()))[2 * kSector];
    }
    for (const auto& device : devices) {
        const auto sectors = blocks.sectors(device);
        const auto label = sectors.find(kSector);
        if (label == sectors.end()) return failed(device + " is no physical volume");
        blocks.put(device, kSector, label->second + " " + name);
        blocks.put(device, 2 * kSector, text);
    }
    return done();
}

std::vector<std::string> DiskWorld::group_members(const std::string& group) const {
    std::vector<std::string> names;
    for (const auto& [name, fake] : disks_) {
        const auto sectors = blocks.sectors(path_of(name));
        const auto meta = sectors.find(2 * kSector);
        if (meta == sectors.end()) continue;
        const auto parts = words(meta->second);
        if (parts.size() > 1 && parts[0] == "GROUP" && parts[1] == group) names.push_back(name);
    }
    return names;
}

// wipefs clears what libblkid sees of that device: its own signatures, not those inside partitions.
void DiskWorld::wipe_signatures(const std::string& path) {
    for (const auto& [name, fake] : disks_) {
        const std::string whole = path_of(name);
        const facts::Disk now = disk(name);
        for (const auto& hold : now.holds.value()) {
            if (hold.device != path || hold.kind == "partition-table") continue;
            std::uint64_t start = 0;
            for (const auto& partition : now.partitions) {
                if (partition.path == path) start = partition.start_bytes;
            }
            blocks.put(whole, start + *hold.offset_bytes, std::string(kSector, '\0'));
        }
        if (path != whole) continue;
        const auto sectors = blocks.sectors(whole);
        const auto first = sectors.find(0);
        if (first != sectors.end() && first->second.starts_with("TABLE")) {
            blocks.put(whole, 0, std::string(kSector, '\0'));
        }
    }
}

} // namespace stratum::fakes
