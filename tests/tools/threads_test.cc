// Tests `--threads` and what of the machine it may use.
#include "tools/run/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>

#include "support/errors.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

TEST(Threads, AutoOrANumber) {
  EXPECT_EQ(parse_threads("auto"), kAutoThreads);
  EXPECT_EQ(parse_threads("1"), 1u);
  EXPECT_EQ(parse_threads("1024"), 1024u);
  for (const char* bad : {"0", "1025", "-1", "2x", "", "Auto", "4294967297"}) {
    try {
      parse_threads(bad);
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("--threads: expected auto or"),
                                               testing::HasSubstr(std::string("'") + bad + "'")));
    }
  }
}

TEST(Threads, NoMoreThanTheVariantCanUse) {
  EXPECT_EQ(thread_count(8, 16), 8u);
  EXPECT_EQ(thread_count(8, 4), 4u);
  EXPECT_EQ(thread_count(8, 0), 1u);  // a program that says nothing of threads
  EXPECT_EQ(thread_count(kAutoThreads, 1), 1u);
  EXPECT_EQ(thread_count(kAutoThreads, kThreadsMax), usable_cpus());
}

// A machine of files: /proc/self/cgroup and the control groups' own.
class Machine {
 public:
  Machine() {
    std::string name = (fs::temp_directory_path() / "arenite-machine-XXXXXX").string();
    root = mkdtemp(name.data());
  }
  ~Machine() { fs::remove_all(root); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void write(const char* path, const char* text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }

  fs::path root;
};

uint32_t without_limits() {
  const Machine bare;
  return usable_cpus(bare.root);
}

TEST(UsableCpus, WhatTheAffinityAllows) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(without_limits(), static_cast<uint32_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(without_limits(), 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(UsableCpus, WholeCpusOfAQuota) {
  const uint32_t all = without_limits();
  const auto v2 = [](const char* max) {
    const Machine machine;
    machine.write("proc/self/cgroup", "0::/a/b\n");
    machine.write("sys/fs/cgroup/a/cpu.max", max);
    return usable_cpus(machine.root);
  };
  EXPECT_EQ(v2("100000 100000\n"), 1u);
  EXPECT_EQ(v2("50000 100000\n"), 1u);
  EXPECT_EQ(v2("199999 100000\n"), std::min(all, 1u));
  EXPECT_EQ(v2("200000 100000\n"), std::min(all, 2u));
  EXPECT_EQ(v2("max 100000\n"), all);
  EXPECT_EQ(v2(""), all);
  EXPECT_EQ(v2("nonsense\n"), all);
}

TEST(UsableCpus, TheTightestGroupCounts) {
  const Machine machine;
  machine.write("proc/self/cgroup", "4:cpu,cpuacct:/x\n3:cpuset:/\n0::/a/b\n");
  machine.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  machine.write("sys/fs/cgroup/a/b/cpu.max", "900000 100000\n");
  machine.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "100000\n");
  machine.write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(usable_cpus(machine.root), 1u);
  machine.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(usable_cpus(machine.root), std::min(without_limits(), 9u));
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
