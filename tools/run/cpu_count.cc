// Counts the CPUs that the scheduler and the control groups leave to this process.
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/errors.h"
#include "tools/run/threads.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

// The affinity mask; on a machine with more CPUs than the mask has room for, all of them.
uint32_t allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

// Whole CPUs of a quota of `quota` microseconds in each `period`; a negative quota is none.
uint32_t whole_cpus(double quota, double period) {
  if (quota < 0 || period <= 0) return kThreadsMax;
  return static_cast<uint32_t>(std::clamp(quota / period, 1.0, double{kThreadsMax}));
}

double number_in(const fs::path& file) {
  double number = -1;
  std::ifstream(file) >> number;
  return number;
}

// "max 100000" or "150000 100000".
uint32_t limit_v2(const fs::path& group) {
  std::string quota;
  double period = 0;
  std::ifstream(group / "cpu.max") >> quota >> period;
  double microseconds = -1;
  if (quota != "max") std::istringstream(quota) >> microseconds;
  return whole_cpus(microseconds, period);
}

uint32_t limit_v1(const fs::path& group) {
  return whole_cpus(number_in(group / "cpu.cfs_quota_us"), number_in(group / "cpu.cfs_period_us"));
}

// The least limit of the group `path` below `mount` and of those that hold it. In a container the
// path is often another one than the mount shows: then the mount itself is the group.
uint32_t least_limit(const fs::path& mount, const fs::path& path,
                     uint32_t (*limit)(const fs::path& group)) {
  uint32_t least = limit(mount);
  fs::path group = mount;
  for (const fs::path& part : path.relative_path()) {
    group /= part;
    least = std::min(least, limit(group));
  }
  return least;
}

uint32_t group_limit(const fs::path& root) {
  uint32_t least = kThreadsMax;
  std::ifstream groups(root / "proc/self/cgroup");
  // "0::/path" for v2, "4:cpu,cpuacct:/path" for v1.
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path path = line.substr(second + 1);
    const fs::path mounts = root / "sys/fs/cgroup";
    if (controllers == ",,") {
      least = std::min(least, least_limit(mounts, path, limit_v2));
    } else if (controllers.find(",cpu,") != std::string::npos) {
      least = std::min(least, least_limit(mounts / "cpu", path, limit_v1));
    }
  }
  return least;
}

}  // namespace

uint32_t usable_cpus(const fs::path& root) {
  return std::clamp(allowed_cpus(), 1u, group_limit(root));
}

uint32_t thread_count(uint32_t asked, uint32_t threads_max) {
  const uint32_t count = asked == kAutoThreads ? usable_cpus() : asked;
  return std::min(count, std::max(threads_max, 1u));
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
