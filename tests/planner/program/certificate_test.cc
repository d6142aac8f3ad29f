// Certificates of right plans pass the loader's proof; those of wrong plans do not.
#include "planner/program/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/overlap.h"
#include "core/types.h"

namespace arenite::planner {
namespace {

using format::ValueRecord;

bool conflict(const ValueRecord& a, const ValueRecord& b) {
  return a.bytes != 0 && b.bytes != 0 && a.place == b.place && a.first_step <= b.last_step &&
         b.first_step <= a.last_step && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

// Values at random places of two arenas, those left out that would overlap an earlier one.
std::vector<ValueRecord> random_values(uint32_t seed, uint32_t count) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::vector<ValueRecord> values;
  for (uint32_t i = 0; i < count; ++i) {
    ValueRecord v{};
    v.dtype = static_cast<uint8_t>(DType::kUint8);
    v.place = static_cast<uint8_t>(below(2));
    v.offset = below(256);
    v.bytes = below(40);
    v.first_step = below(50);
    v.last_step = v.first_step + below(12);
    v.below_or_root = kNoIndex;
    if (std::none_of(values.begin(), values.end(),
                     [&](const ValueRecord& other) { return conflict(v, other); })) {
      values.push_back(v);
    }
  }
  std::stable_sort(values.begin(), values.end(), [](const ValueRecord& a, const ValueRecord& b) {
    return a.first_step < b.first_step;
  });
  return values;
}

TEST(Certificate, PassesForRandomPlansWithoutOverlap) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::vector<ValueRecord> values = random_values(seed, 120);
    certify(values, std::vector<bool>(values.size()));
    std::vector<uint32_t> proof(values.size());
    ASSERT_TRUE(verify_overlap(values, {}, 2, proof).ok()) << "seed " << seed;
  }
}

TEST(Certificate, CannotHideAnOverlap) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<ValueRecord> values = random_values(seed, 60);
    // One more value on the first byte of one with bytes.
    const auto victim = std::find_if(values.begin(), values.end(),
                                     [](const ValueRecord& v) { return v.bytes != 0; });
    ASSERT_NE(victim, values.end());
    ValueRecord intruder = *victim;
    intruder.bytes = 1;
    values.insert(victim + 1, intruder);
    certify(values, std::vector<bool>(values.size()));
    std::vector<uint32_t> proof(values.size());
    ASSERT_EQ(verify_overlap(values, {}, 2, proof).code, Code::kOverlap) << "seed " << seed;
  }
}

TEST(Certificate, NamesTheNearestLiveValueBelow) {
  const auto value = [](uint32_t offset, uint32_t bytes, uint32_t first, uint32_t last) {
    ValueRecord v{};
    v.offset = offset;
    v.bytes = bytes;
    v.first_step = first;
    v.last_step = last;
    return v;
  };
  std::vector<ValueRecord> values = {value(0, 8, 0, 3), value(8, 8, 0, 0), value(16, 8, 1, 3),
                                     value(8, 8, 2, 3), value(64, 0, 2, 2)};
  certify(values, std::vector<bool>(values.size()));
  EXPECT_EQ(values[0].below_or_root, kNoIndex);
  EXPECT_EQ(values[1].below_or_root, 0u);
  EXPECT_EQ(values[2].below_or_root, 0u) << "value 1 is dead";
  EXPECT_EQ(values[3].below_or_root, 0u);
  EXPECT_EQ(values[4].below_or_root, kNoIndex) << "nothing is needed where there are no bytes";
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
