#include "tests/ui-tty/screens.hpp"

namespace stratum::ui::examples {

using installer::JoinerState;
using installer::JoinProgress;

namespace {

JoinProgress machine() {
    JoinProgress shown;
    shown.release = "0.6.0";
    shown.machine = {"Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7",
                     "Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory",
                     "Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB",
                     "NICs: enp1s0f0 10.20.0.57/24, enp1s0f1 (no link)"};
    return shown;
}

JoinProgress connected() {
    JoinProgress shown = machine();
    shown.founder = "10.20.0.1:8444";
    shown.founder_key = "1f0e8c6b5a49382716050f4e3d2c1b0a99887766554433221100ffeeddccbbaa";
    shown.join_id = "nj-8w2k4m1p";
    return shown;
}

link::Step step(const std::string& name, const std::string& title, link::StepStatus status,
                std::optional<int> percent) {
    link::Step one;
    one.name = name;
    one.title = title;
    one.status = status;
    one.percent = percent;
    return one;
}

} // namespace

JoinProgress needs_code() {
    JoinProgress shown = machine();
    shown.state = JoinerState::kNeedsCode;
    shown.message = "This machine has no join code yet.";
    shown.next_step =
        "Make a join code on the founder (stratumctl admin join-codes create) and type it here.";
    shown.prompt = "Join code (a short one with the founder's address beside it):";
    return shown;
}

JoinProgress waiting() {
    JoinProgress shown = connected();
    shown.state = JoinerState::kWaiting;
    shown.pairing_code = "4F7-K2Q";
    shown.message = "An admin compares this code with the founder's and approves.";
    shown.next_step = "On the founder: stratumctl admin joins show nj-8w2k4m1p";
    shown.log = {"Looking for the founder", "Registering with the founder",
                 "Working out the pairing code", "Waiting for approval"};
    return shown;
}

JoinProgress unreachable() {
    JoinProgress shown = machine();
    shown.state = JoinerState::kRegistering;
    shown.message = "The founder is not reached.";
    shown.next_step = "Check the cable, the founder's address, and that it runs.";
    shown.retry = installer::RetryNotice{"10.20.0.1:8444: connection refused", 12, 4};
    return shown;
}

JoinProgress installing() {
    JoinProgress shown = connected();
    shown.state = JoinerState::kInstalling;
    shown.pairing_code = "4F7-K2Q";
    shown.name = "node-2";
    shown.node_id = "n-2";
    shown.attempt = 2;
    shown.message = "Works through its steps; the founder's console shows them too.";
    using enum link::StepStatus;
    shown.steps = {step("verify", "Checking what was delivered", kDone, 100),
                   step("identity", "Taking on its name", kDone, 100),
                   step("network", "Configuring the network", kDone, 100),
                   step("time", "Setting the time", kDone, 100),
                   step("storage", "Preparing the disks", kRunning, 45),
                   step("join/etcd", "Joining the etcd cluster", kPending, {}),
                   step("finish", "Finishing", kPending, {})};
    for (int at = 1; at <= 30; ++at) shown.log.push_back("storage: line " + std::to_string(at));
    return shown;
}

JoinProgress failed() {
    JoinProgress shown = installing();
    shown.state = JoinerState::kFailed;
    shown.message = "Failed at: Preparing the disks";
    shown.error = "disk wwn-0x5000c500a1b2c301 holds an ext4 filesystem “olddata” that was not "
                  "there when it was approved; nothing was written";
    shown.next_step = "On the founder: stratumctl admin joins retry nj-8w2k4m1p (or reject)";
    shown.steps[4].status = link::StepStatus::kFailed;
    return shown;
}

} // namespace stratum::ui::examples
