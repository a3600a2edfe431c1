#include "hwdiscovery/edge/device_events.hpp"

#include <array>
#include <cerrno>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <libudev.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"
#include "hwdiscovery/edge/netlink.hpp"

namespace stratum::hw {
namespace {

// One thing that can be waited for.
class Source {
public:
    virtual ~Source() = default;
    [[nodiscard]] virtual pollfd awaited() const = 0;
    // Takes what is there; true where that may be a change.
    virtual bool take() = 0;
};

struct UdevDeleter {
    void operator()(udev* one) const { udev_unref(one); }
    void operator()(udev_monitor* one) const { udev_monitor_unref(one); }
    void operator()(udev_device* one) const { udev_device_unref(one); }
};

class UdevSource final : public Source {
public:
    UdevSource() : udev_(udev_new()) {
        // udevd's events come when its database knows the device; without it nobody sends them.
        const bool has_udevd = ::access("/run/udev/control", F_OK) == 0;
        monitor_.reset(udev_monitor_new_from_netlink(udev_.get(), has_udevd ? "udev" : "kernel"));
        if (!monitor_) return;
        for (const char* subsystem : {"block", "net"})
            udev_monitor_filter_add_match_subsystem_devtype(monitor_.get(), subsystem, nullptr);
        if (udev_monitor_enable_receiving(monitor_.get()) < 0) monitor_.reset();
    }
    [[nodiscard]] bool is_open() const { return monitor_ != nullptr; }
    [[nodiscard]] pollfd awaited() const override {
        return {udev_monitor_get_fd(monitor_.get()), POLLIN, 0};
    }
    bool take() override {
        bool is_change = false;
        for (;;) {
            errno = 0;
            const std::unique_ptr<udev_device, UdevDeleter> device(
                udev_monitor_receive_device(monitor_.get()));
            // ENOBUFS: more came than was kept.
            if (!device) return is_change || errno == ENOBUFS;
            is_change = true;
        }
    }

private:
    std::unique_ptr<udev, UdevDeleter> udev_;
    std::unique_ptr<udev_monitor, UdevDeleter> monitor_;
};

// Much of what the route socket tells (each router's announcement) changes nothing that we show:
// the kernel is asked again, and only another answer is a change.
class RouteSource final : public Source {
public:
    RouteSource()
        : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE)) {
        sockaddr_nl own{};
        own.nl_family = AF_NETLINK;
        own.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                        RTMGRP_IPV6_ROUTE;
        if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&own), sizeof own) != 0)
            socket_.close();
        else
            last_ = ask();
    }
    [[nodiscard]] bool is_open() const { return socket_.is_open(); }
    [[nodiscard]] pollfd awaited() const override { return {socket_.get(), POLLIN, 0}; }
    bool take() override {
        std::array<char, 32768> message{};
        while (::recv(socket_.get(), message.data(), message.size(), 0) >= 0 || errno == ENOBUFS) {
        }
        NetRecords now = ask();
        const bool is_change = !(now == last_);
        last_ = std::move(now);
        return is_change;
    }

private:
    static NetRecords ask() {
        auto net = read_net();
        return net ? std::move(*net) : NetRecords{};
    }

    edge::Fd socket_;
    NetRecords last_;
};

// A list of the kernel's that poll(2) tells the changes of.
class ListSource final : public Source {
public:
    explicit ListSource(std::string path) : path_(std::move(path)) { open(); }
    [[nodiscard]] bool is_open() const { return file_.is_open(); }
    [[nodiscard]] pollfd awaited() const override { return {file_.get(), POLLPRI, 0}; }
    bool take() override {
        open(); // what has changed since then is news again
        return true;
    }

private:
    void open() { file_ = edge::Fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)); }

    std::string path_;
    edge::Fd file_;
};

class FolderSource final : public Source {
public:
    explicit FolderSource(const std::string& folder)
        : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
        constexpr std::uint32_t kWhat = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE;
        if (::inotify_add_watch(inotify_.get(), folder.c_str(), kWhat) < 0) inotify_.close();
    }
    [[nodiscard]] bool is_open() const { return inotify_.is_open(); }
    [[nodiscard]] pollfd awaited() const override { return {inotify_.get(), POLLIN, 0}; }
    bool take() override {
        std::array<char, 4096> events{};
        while (::read(inotify_.get(), events.data(), events.size()) > 0) {
        }
        return true;
    }

private:
    edge::Fd inotify_;
};

class Events final : public DeviceEvents {
public:
    explicit Events(const DeviceEventsOptions& options) : options_(options) {
        if (!options.root.empty()) {
            add(std::make_unique<FolderSource>(options.root));
            return;
        }
        add(std::make_unique<UdevSource>());
        add(std::make_unique<RouteSource>());
        for (const char* list : {"/proc/self/mountinfo", "/proc/swaps", "/proc/mdstat"})
            add(std::make_unique<ListSource>(list));
    }

    Woken wait(std::int64_t wait_ms) override {
        std::vector<pollfd> all;
        for (const auto& source : sources_) all.push_back(source->awaited());
        // −1 is never ready. Of a reader only its end is awaited, which needs no asking for.
        all.push_back({options_.stop, POLLIN, 0});
        all.push_back({options_.reader, 0, 0});
        const int ready = ::poll(all.data(), all.size(), static_cast<int>(wait_ms));
        if (ready <= 0) return Woken::kNothing;
        const std::size_t stop = sources_.size();
        if (all[stop].revents != 0 || all[stop + 1].revents != 0) return Woken::kStop;
        bool is_change = false;
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (all[i].revents != 0 && sources_[i]->take()) is_change = true;
        return is_change ? Woken::kChange : Woken::kNothing;
    }

private:
    template<class One>
    void add(std::unique_ptr<One> source) {
        if (source->is_open()) sources_.push_back(std::move(source));
    }

    DeviceEventsOptions options_;
    std::vector<std::unique_ptr<Source>> sources_;
};

} // namespace

std::unique_ptr<DeviceEvents> open_device_events(const DeviceEventsOptions& options) {
    return std::make_unique<Events>(options);
}

} // namespace stratum::hw
