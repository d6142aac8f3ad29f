// Any bytes: changed plans with right checksums are refused or run inside what the caller gave.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using Bytes = std::vector<std::byte>;

struct Counts {
  int opened = 0, loaded = 0, ran = 0;
};

// Opens and loads all there is, runs what loads. Arenas have exactly the size the plan asks for, so
// that a sanitizer sees every byte outside.
void try_everything(const Bytes& file, Counts& counts) {
  Machine machine(file);
  if (!machine.opened.ok()) {
    return;
  }
  ++counts.opened;
  ConstantsCursor cursor;
  (void)machine.program.verify_constants(1u << 20, cursor);
  for (uint32_t m = 0; m < machine.program.methods().size(); ++m) {
    for (uint32_t v = 0; v < machine.program.methods()[m].variant_count; ++v) {
      if (!machine.load(m, v).ok()) {
        continue;
      }
      ++counts.loaded;
      fill(machine.instance.input(0), {1, 2, 3, 4, 5, 6, 7, 8});
      if (machine.instance.run().ok()) {
        ++counts.ran;
        for (const std::byte byte : machine.instance.output(0)) {
          volatile std::byte seen = byte;
          (void)seen;
        }
      }
    }
  }
}

size_t plan_end(const Bytes& file) {
  const auto& header = *reinterpret_cast<const format::Header*>(file.data());
  return header.plan_offset + header.plan_bytes;
}

TEST(Robustness, EveryBitWithChecksumsMadeRight) {
  const Bytes file = sample_builder().file();
  Counts counts;
  for (size_t bit = 0; bit < 8 * plan_end(file); ++bit) {
    Bytes changed = file;
    changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    planner::reseal_program(changed);
    try_everything(changed, counts);
  }
  // Enough of them get far for the test to mean something.
  EXPECT_GT(counts.opened, 1000);
  EXPECT_GT(counts.loaded, 1000);
  EXPECT_GT(counts.ran, 1000);
}

TEST(Robustness, EveryWordAtItsExtremes) {
  const Bytes file = sample_builder().file();
  Counts counts;
  const uint32_t extremes[] = {0,          1,          2,          8,          0x7f,
                               0xff,       0xffff,     0x7fffffff, 0x80000000, 0xfffffff0,
                               0xfffffffc, 0xfffffffe, 0xffffffff};
  for (size_t at = 0; at + 4 <= plan_end(file); at += 4) {
    for (const uint32_t word : extremes) {
      Bytes changed = file;
      std::memcpy(changed.data() + at, &word, 4);
      planner::reseal_program(changed);
      try_everything(changed, counts);
    }
  }
  EXPECT_GT(counts.loaded, 1000);
}

TEST(Robustness, RandomChangesOfTables) {
  const Bytes file = sample_builder().file();
  std::mt19937 random(7);
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  Counts counts;
  const size_t begin = sizeof(format::Header);
  for (int i = 0; i < 20000; ++i) {
    Bytes changed = file;
    for (size_t k = 1 + below(4); k > 0; --k) {
      const size_t at = begin + below((plan_end(file) - begin) / 4) * 4;
      uint32_t word = 0;
      std::memcpy(&word, changed.data() + at, 4);
      switch (below(4)) {
        case 0:
          word += static_cast<uint32_t>(below(9)) - 4;
          break;
        case 1:
          word ^= 1u << below(32);
          break;
        case 2:
          word = static_cast<uint32_t>(below(16));
          break;
        // A word of another place.
        default:
          std::memcpy(&word, file.data() + below(plan_end(file) / 4) * 4, 4);
          break;
      }
      std::memcpy(changed.data() + at, &word, 4);
    }
    planner::reseal_program(changed);
    try_everything(changed, counts);
  }
  EXPECT_GT(counts.loaded, 1000);
}

TEST(Robustness, TruncatedWithARightHeader) {
  const Bytes file = sample_builder().file();
  Counts counts;
  for (size_t bytes = sizeof(format::Header); bytes < file.size(); ++bytes) {
    Bytes changed(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes));
    auto& header = *reinterpret_cast<format::Header*>(changed.data());
    header.file_bytes = static_cast<uint32_t>(bytes);
    header.plan_bytes =
        std::min(header.plan_bytes, static_cast<uint32_t>(bytes) - header.plan_offset);
    planner::reseal_program(changed);
    try_everything(changed, counts);
  }
  EXPECT_EQ(counts.loaded, 0);
}

TEST(Robustness, Noise) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    Bytes noise(random() % 300);
    for (std::byte& byte : noise) {
      byte = static_cast<std::byte>(random());
    }
    Counts counts;
    try_everything(noise, counts);
    ASSERT_EQ(counts.opened, 0);
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
