// The overlap proof against comparing every pair, on thousands of random plans.
#include "core/overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/program.h"
#include "tests/core/program_builder.h"

namespace arenite {
namespace {

using format::ValueRecord;

constexpr uint32_t kArenas = 3;

class Plans {
 public:
  explicit Plans(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }

  // Values in order of birth, each at a random free place in its arena: a right plan.
  std::vector<ValueRecord> right() {
    const uint32_t steps = 1 + below(30);
    std::vector<ValueRecord> values(1 + below(40));
    for (ValueRecord& v : values) {
      v = {};
      v.kind = static_cast<uint8_t>(below(8) == 0 ? 1 + below(2) : 0);
      v.place = static_cast<uint8_t>(below(kArenas));
      v.bytes = below(10) == 0 ? 0 : 1 + below(64);
      v.first_step = below(steps);
      v.last_step = std::min(steps - 1, v.first_step + below(8));
      v.below_or_root = 0;
    }
    sort(values);
    for (size_t i = 0; i < values.size(); ++i) {
      place(values, i);
    }
    certify(values);
    return values;
  }

  static void sort(std::vector<ValueRecord>& values) {
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first_step < b.first_step; });
  }

  static void certify(std::vector<ValueRecord>& values) {
    tests::certify(values, 0, static_cast<uint32_t>(values.size()));
  }

 private:
  void place(std::vector<ValueRecord>& values, size_t i) {
    ValueRecord& v = values[i];
    for (uint32_t range = 200;; range *= 2) {
      v.offset = below(range);
      const bool free = std::none_of(values.begin(), values.begin() + static_cast<int>(i),
                                     [&](const ValueRecord& u) { return Plans::clash(u, v); });
      if (free) {
        return;
      }
    }
  }

 public:
  // Two arena values with a byte and a step in common.
  static bool clash(const ValueRecord& u, const ValueRecord& v) {
    if (u.kind != 0 || v.kind != 0 || u.place != v.place) {
      return false;
    }
    const bool time = std::max(u.first_step, v.first_step) <= std::min(u.last_step, v.last_step);
    const uint64_t low = std::max(u.offset, v.offset);
    const uint64_t high = std::min(uint64_t{u.offset} + u.bytes, uint64_t{v.offset} + v.bytes);
    return time && low < high;
  }

 private:
  std::mt19937 random_;
};

bool oracle(const std::vector<ValueRecord>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (Plans::clash(values[i], values[k])) {
        return false;
      }
    }
  }
  return true;
}

bool linked(const std::vector<ValueRecord>& values) {
  std::vector<uint32_t> proof(values.size(), 0xdeadbeef);
  return verify_overlap(values, {}, kArenas, proof).ok();
}

bool pairwise(const std::vector<ValueRecord>& values) {
  return verify_overlap(values, {}, kArenas, {}).ok();
}

TEST(Overlap, RightPlansPass) {
  Plans plans(1);
  for (int i = 0; i < 5000; ++i) {
    const auto values = plans.right();
    ASSERT_TRUE(oracle(values));
    ASSERT_TRUE(linked(values)) << "plan " << i;
    ASSERT_TRUE(pairwise(values)) << "plan " << i;
  }
}

TEST(Overlap, PerturbedPlansAreRefusedExactlyWhenTwoValuesClash) {
  Plans plans(2);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    auto values = plans.right();
    ValueRecord& v = values[plans.below(static_cast<uint32_t>(values.size()))];
    switch (plans.below(4)) {
      case 0:
        v.offset = plans.below(200);
        break;
      case 1:
        v.bytes += 1 + plans.below(64);
        break;
      case 2:
        v.last_step += 1 + plans.below(10);
        break;
      default:
        v.first_step -= plans.below(v.first_step + 1);
        break;
    }
    Plans::sort(values);
    Plans::certify(values);
    const bool expected = oracle(values);
    refused += expected ? 0 : 1;
    ASSERT_EQ(linked(values), expected) << "plan " << i;
    ASSERT_EQ(pairwise(values), expected) << "plan " << i;
  }
  EXPECT_GT(refused, 3000);
  EXPECT_LT(refused, 17000);
}

TEST(Overlap, NoCertificateMakesAClashPass) {
  Plans plans(3);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    auto values = plans.right();
    const auto n = static_cast<uint32_t>(values.size());
    if (plans.below(2) == 0) {
      values[plans.below(n)].offset = plans.below(200);
    }
    for (uint32_t k = 1 + plans.below(3); k > 0; --k) {
      values[plans.below(n)].below_or_root = plans.below(4) == 0 ? kNoIndex : plans.below(n + 2);
    }
    if (linked(values)) {
      ++accepted;
      ASSERT_TRUE(oracle(values)) << "plan " << i;
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(Overlap, DisorderOfBirthIsRefused) {
  std::vector<ValueRecord> values(2);
  values[0].bytes = values[1].bytes = 4;
  values[1].offset = 4;
  values[1].below_or_root = 0;
  values[0].below_or_root = kNoIndex;
  values[0].last_step = values[0].first_step = 1;
  values[1].last_step = 1;
  EXPECT_EQ(verify_overlap(values, {}, 1, {}).code, Code::kBadValue);
  values[1].place = 1;
  values[1].below_or_root = kNoIndex;
  EXPECT_TRUE(verify_overlap(values, {}, 2, {}).ok());
}

TEST(Overlap, ManyValuesNeedMemoryForTheProof) {
  std::vector<ValueRecord> values(kMaxPairwiseValues + 1);
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i].bytes = 16;
    values[i].offset = 16 * i;
    values[i].below_or_root = i == 0 ? kNoIndex : i - 1;
  }
  EXPECT_EQ(verify_overlap(values, {}, 1, {}).code, Code::kArenaTooSmall);
  std::vector<uint32_t> proof(values.size());
  EXPECT_TRUE(verify_overlap(values, {}, 1, proof).ok());
  values.pop_back();
  EXPECT_TRUE(verify_overlap(values, {}, 1, {}).ok());
}

// A million values, each alive for a few steps, at the time of a single pass.
TEST(Overlap, LinearTime) {
  std::vector<ValueRecord> values(1000000);
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i].bytes = 16;
    values[i].offset = 16 * (i % 64);
    values[i].first_step = i;
    values[i].last_step = i + 63;
    values[i].below_or_root = i % 64 == 0 ? kNoIndex : i - 1;
  }
  std::vector<uint32_t> proof(values.size());
  EXPECT_TRUE(verify_overlap(values, {}, 1, proof).ok());
  values[999999].offset -= 1;
  EXPECT_EQ(verify_overlap(values, {}, 1, proof).code, Code::kOverlap);
  EXPECT_EQ(verify_overlap(values, {}, 1, proof).value, 999999u);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
