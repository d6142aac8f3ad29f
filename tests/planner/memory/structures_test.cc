// The two indices behind greedy_by_size and the interval tree behind the bounds, against plain
// loops.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "planner/memory/greedy/neighbors.h"
#include "planner/memory/problem/live_bytes.h"

namespace arenite::memory {
namespace {

bool meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

Lifetime random_lifetime(std::mt19937& random) {
  const auto first = static_cast<uint32_t>(random() % 200);
  return {first, first + static_cast<uint32_t>(random() % 30)};
}

TEST(TimeIndex, FindsExactlyTheSwitchedOnThatMeet) {
  std::mt19937 random(1);
  std::vector<Lifetime> lifetimes(333);
  for (Lifetime& lifetime : lifetimes) lifetime = random_lifetime(random);
  TimeIndex index(lifetimes);
  std::vector<bool> on(lifetimes.size(), false);
  std::vector<uint32_t> found;
  for (int round = 0; round < 333; ++round) {
    const auto entry = static_cast<uint32_t>(random() % lifetimes.size());
    on[entry] = true;
    index.switch_on(entry);
    const Lifetime asked = random_lifetime(random);
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < lifetimes.size(); ++i) {
      if (on[i] && meet(lifetimes[i], asked)) expected.push_back(i);
    }
    ASSERT_TRUE(index.collect(asked, lifetimes.size(), found));
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
    ASSERT_EQ(index.collect(asked, 5, found), expected.size() <= 5);
  }
}

TEST(TimeIndex, EmptyAndExtreme) {
  std::vector<uint32_t> found;
  EXPECT_TRUE(TimeIndex({}).collect({0, UINT32_MAX}, 0, found));
  const std::vector<Lifetime> all = {{0, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}};
  TimeIndex index(all);
  index.switch_on(0);
  index.switch_on(1);
  EXPECT_TRUE(index.collect({UINT32_MAX, UINT32_MAX}, 2, found));
  EXPECT_EQ(found.size(), 2u);
}

TEST(OffsetOrder, CollectsInOffsetOrderAcrossBlocks) {
  std::mt19937 random(2);
  OffsetOrder order;
  struct Entry {
    Lifetime lifetime;
    Obstacle obstacle;
  };
  std::vector<Entry> entries;
  for (int i = 0; i < 3000; ++i) {
    const Entry entry = {random_lifetime(random), {random() % 100000, 1 + random() % 100}};
    entries.push_back(entry);
    order.insert(entry.lifetime, entry.obstacle);
    if (i % 97 != 0) continue;
    const Lifetime asked = random_lifetime(random);
    std::vector<Obstacle> found;
    order.collect(asked, found);
    uint64_t expected_count = 0;
    uint64_t expected_bytes = 0;
    for (const Entry& other : entries) {
      if (!meet(other.lifetime, asked)) continue;
      ++expected_count;
      expected_bytes += other.obstacle.begin + other.obstacle.end;
    }
    ASSERT_EQ(found.size(), expected_count);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](const auto& a, const auto& b) { return a.begin < b.begin; }));
    ASSERT_EQ(std::accumulate(found.begin(), found.end(), uint64_t{0},
                              [](uint64_t sum, const Obstacle& obstacle) {
                                return sum + obstacle.begin + obstacle.end;
                              }),
              expected_bytes);
  }
}

TEST(OffsetOrder, ALifetimeOfAllStepsFindsNoGhosts) {
  OffsetOrder order;
  std::vector<Obstacle> found;
  order.collect({0, UINT32_MAX}, found);
  EXPECT_TRUE(found.empty());
  order.insert({5, 5}, {10, 1});
  order.collect({0, UINT32_MAX}, found);
  EXPECT_EQ(found.size(), 1u);
}

TEST(UnionLength, AgreesWithMarkedBytes) {
  std::mt19937 random(3);
  struct Interval {
    uint64_t begin;
    uint64_t end;
    bool in;
  };
  std::vector<Interval> intervals(40);
  std::vector<uint64_t> points;
  for (Interval& interval : intervals) {
    interval.begin = random() % 60;
    interval.end = interval.begin + random() % 20;
    interval.in = false;
    points.push_back(interval.begin);
    points.push_back(interval.end);
  }
  UnionLength covered(points);
  for (int round = 0; round < 2000; ++round) {
    Interval& interval = intervals[random() % intervals.size()];
    covered.change(interval.begin, interval.end, interval.in ? -1 : +1);
    interval.in = !interval.in;
    std::vector<bool> marked(80, false);
    for (const Interval& other : intervals) {
      for (uint64_t byte = other.begin; other.in && byte < other.end; ++byte) marked[byte] = true;
    }
    ASSERT_EQ(covered.length(),
              static_cast<uint64_t>(std::count(marked.begin(), marked.end(), true)));
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
