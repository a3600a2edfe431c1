// What is fed, and what it must hold.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct Target {
    std::string name;
    std::vector<std::string> seeds;
    std::function<bool(const std::string&)> holds; // false: a promise was broken
};

// Readers of hardware's records: files of the kernel and of udev, pages and labels of devices,
// whole captured machines.
std::vector<Target> hardware_targets();

// Versions, ranges, rules, pins, what programs print, reports.
std::vector<Target> compat_targets();
