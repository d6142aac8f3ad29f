// Packing one memory: live sets, orders, the exact search against brute force, limits, determinism.
#include "planner/memory/pack/pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "planner/memory/pack/ejection_search.h"
#include "planner/memory/pack/in_order.h"
#include "planner/memory/pack/live_sets.h"
#include "planner/memory/pack/long_first.h"
#include "planner/memory/pack/orders.h"
#include "planner/memory/pack/skyline_search.h"
#include "planner/memory/problem/items.h"
#include "planner/memory/problem/verify.h"
#include "support/random.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"

namespace arenite::memory {
namespace {

Item item(uint64_t size, uint32_t first, uint32_t last, uint64_t alignment = 1) {
  return {.size_bytes = size, .alignment = alignment, .lifetime = {first, last}};
}

Item fixed(uint64_t size, uint32_t first, uint32_t last, uint64_t offset) {
  return {.size_bytes = size, .lifetime = {first, last}, .fixed = Placement{0, offset}};
}

int64_t lead_of(const PackProblem& problem, uint32_t input, uint32_t output) {
  for (const Overlap& overlap : problem.overlaps) {
    if (overlap.input == input && overlap.output == output) return overlap.lead_bytes;
  }
  return INT64_MAX;
}

// Whether b may lie where it does with a below it, or over it as an overlap lets it.
bool apart(const PackProblem& problem, const std::vector<uint64_t>& offsets, uint32_t a,
           uint32_t b) {
  const Item& x = problem.items[a];
  const Item& y = problem.items[b];
  if (x.lifetime.last < y.lifetime.first || y.lifetime.last < x.lifetime.first) return true;
  if (x.size_bytes == 0 || y.size_bytes == 0) return true;
  if (offsets[a] + x.size_bytes <= offsets[b] || offsets[b] + y.size_bytes <= offsets[a]) {
    return true;
  }
  const auto from_a = static_cast<int64_t>(offsets[b]) - static_cast<int64_t>(offsets[a]);
  return from_a >= lead_of(problem, b, a) || -from_a >= lead_of(problem, a, b);
}

void expect_right(const PackProblem& problem, const std::vector<uint64_t>& offsets,
                  uint64_t height) {
  ASSERT_EQ(offsets.size(), problem.items.size());
  uint64_t top = 0;
  for (uint32_t a = 0; a < offsets.size(); ++a) {
    EXPECT_EQ(offsets[a] % problem.items[a].alignment, 0u);
    if (problem.items[a].fixed) {
      EXPECT_EQ(offsets[a], problem.items[a].fixed->offset);
    }
    top = std::max(top, offsets[a] + problem.items[a].size_bytes);
    for (uint32_t b = 0; b < a; ++b) {
      EXPECT_TRUE(apart(problem, offsets, a, b))
          << a << " at " << offsets[a] << ", " << b << " at " << offsets[b];
    }
  }
  EXPECT_EQ(top, height);
}

PackProblem random_pack_problem(Random& random, uint32_t count, bool overlaps) {
  PackProblem problem;
  constexpr uint64_t kAlignments[] = {1, 1, 2, 4};
  const uint64_t alignment = kAlignments[random.below(4)];
  for (uint32_t i = 0; i < count; ++i) {
    const auto first = static_cast<uint32_t>(random.below(6));
    problem.items.push_back(item(1 + random.below(6), first,
                                 first + static_cast<uint32_t>(random.below(4)),
                                 random.below(3) == 0 ? kAlignments[random.below(4)] : alignment));
  }
  for (uint32_t a = 0; overlaps && a < count; ++a) {
    for (uint32_t b = 0; b < count; ++b) {
      if (a == b || problem.items[a].lifetime.last != problem.items[b].lifetime.first) continue;
      if (random.below(2) == 0) continue;
      if (lead_of(problem, b, a) != INT64_MAX) continue;
      problem.overlaps.push_back({a, b, static_cast<int64_t>(random.below(5)) - 1});
    }
  }
  return problem;
}

// The least height by trying every order: the best of all orders with the lowest fit is optimal.
uint64_t least_height(const PackProblem& problem) {
  OrderPacker packer(problem, nullptr);
  std::vector<uint32_t> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<uint64_t> offsets;
  uint64_t least = UINT64_MAX;
  do {
    least = std::min(least, *packer.pack(order, Fit::kLowest, offsets));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(LiveSets, AreTheMaximalOnes) {
  // Steps 0 | 1 | 2 | 3: {a b} at 1 holds {a} of 0; {c d} at 3; an item without bytes is in none.
  const std::vector<Item> items = {item(1, 0, 1), item(1, 1, 1), item(1, 2, 3), item(1, 3, 3),
                                   item(0, 0, 3)};
  const LiveSets sets = find_live_sets(items);
  ASSERT_EQ(sets.count, 2u);
  EXPECT_EQ(sets.first, (std::vector<uint32_t>{0, 0, 1, 1, 1}));
  EXPECT_EQ(sets.last, (std::vector<uint32_t>{0, 0, 1, 1, 0}));
  EXPECT_FALSE(sets.holds(4));
  EXPECT_EQ(list_members(sets).items, (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(OrderPacker, PutsAnOutputOverItsInputAsFarAsTheLeadLets) {
  PackProblem problem;
  problem.items = {item(8, 0, 1), item(10, 1, 2)};
  problem.overlaps = {{0, 1, 4}};
  OrderPacker packer(problem, nullptr);
  std::vector<uint64_t> offsets;
  // The output first: the input starts 4 bytes into it.
  EXPECT_EQ(packer.pack(std::vector<uint32_t>{1, 0}, Fit::kLowest, offsets), 12u);
  EXPECT_EQ(offsets, (std::vector<uint64_t>{4, 0}));
  // The input first, at 0: the output has no room below it.
  EXPECT_EQ(packer.pack(std::vector<uint32_t>{0, 1}, Fit::kLowest, offsets), 18u);
}

TEST(PackBound, CountsPaddingAndWhatOverlapsSave) {
  PackProblem problem;
  problem.items = {item(5, 0, 1, 4), item(6, 0, 1, 4), item(3, 1, 2, 4)};
  // 8 + 8 + 4 less the largest padding, 3.
  EXPECT_EQ(pack_bound(problem, find_live_sets(problem.items)), 17u);
  problem.overlaps = {{0, 2, 1}};
  // 5 + 6 + 3 bytes, of which the output may share 3 - 1.
  EXPECT_EQ(pack_bound(problem, find_live_sets(problem.items)), 12u);
  problem.items.push_back(fixed(4, 9, 9, 40));
  EXPECT_EQ(pack_bound(problem, find_live_sets(problem.items)), 44u);
}

TEST(SkylineSearch, FindsTheLeastHeightAndProvesIt) {
  Random random(7);
  uint32_t above_bound = 0;
  for (int round = 0; round < 300; ++round) {
    const PackProblem problem = random_pack_problem(random, 6, false);
    const uint64_t least = least_height(problem);
    const Packing packing = pack(problem, {});
    expect_right(problem, packing.offsets, packing.height);
    EXPECT_EQ(packing.height, least);
    EXPECT_LE(packing.lower_bound, least);
    const LiveSets sets = find_live_sets(problem.items);
    above_bound += least > pack_bound(problem, sets) ? 1u : 0u;
    SkylineSearch search(problem, sets);
    const std::vector<double> keys(problem.items.size(), 0);
    const uint64_t units = (least + search.unit_bytes() - 1) / search.unit_bytes();
    EXPECT_EQ(search.run(units, keys, 1'000'000), SearchEnd::kFound);
    if (search.unit_bytes() == 1) {
      EXPECT_EQ(search.run(units - 1, keys, 1'000'000), SearchEnd::kImpossible);
    }
  }
  EXPECT_GT(above_bound, 10u);  // not only what the bound settles
}

TEST(SkylineSearch, BuildsAroundFixedItems) {
  PackProblem problem;
  problem.items = {fixed(4, 0, 3, 6), item(6, 0, 1), item(6, 2, 3), item(3, 1, 2), item(2, 0, 0)};
  SkylineSearch search(problem, find_live_sets(problem.items));
  const std::vector<double> keys(problem.items.size(), 0);
  ASSERT_EQ(search.run(13, keys, 1000), SearchEnd::kFound);
  expect_right(problem, {search.offsets().begin(), search.offsets().end()}, 13);
  EXPECT_EQ(search.run(12, keys, 100'000), SearchEnd::kImpossible);
}

TEST(SkylineSearch, StopsAtItsNodes) {
  PackProblem problem;
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    const auto first = static_cast<uint32_t>(random.below(40));
    problem.items.push_back(
        item(1 + random.below(1000), first, first + static_cast<uint32_t>(random.below(12))));
  }
  const LiveSets sets = find_live_sets(problem.items);
  SkylineSearch search(problem, sets);
  const std::vector<double> keys(problem.items.size(), 0);
  EXPECT_EQ(search.run(pack_bound(problem, sets), keys, 10), SearchEnd::kLimit);
  EXPECT_EQ(search.nodes(), 10u);
}

TEST(Pack, IsRightWithOverlapsAndNearTheBestOrder) {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    const PackProblem problem = random_pack_problem(random, 6, true);
    const Packing packing = pack(problem, {});
    expect_right(problem, packing.offsets, packing.height);
    EXPECT_GE(packing.height, packing.lower_bound);
    EXPECT_EQ(packing.height, least_height(problem));
  }
}

TEST(Pack, IsNeverAboveGreedyBySizeAndTheSameEachTime) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    const PackProblem problem = random_pack_problem(random, 25, false);
    PackLimits limits;
    limits.work_max = 1;
    const Packing least = pack(problem, limits);
    const Packing again = pack(problem, limits);
    EXPECT_EQ(least.offsets, again.offsets);
    expect_right(problem, least.offsets, least.height);
    std::vector<uint32_t> order(problem.items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Item& x = problem.items[a];
      const Item& y = problem.items[b];
      if (x.size_bytes != y.size_bytes) return x.size_bytes > y.size_bytes;
      return x.lifetime.first < y.lifetime.first;
    });
    std::vector<uint64_t> offsets;
    OrderPacker packer(problem, nullptr);
    EXPECT_LE(least.height, *packer.pack(order, Fit::kBestGap, offsets));
  }
}

TEST(Pack, StopsAsSoonAsItFits) {
  // The first order is above the least height; a capacity that it meets ends all search.
  Random random(5);
  PackProblem problem = random_pack_problem(random, 25, false);
  std::vector<uint64_t> heights;
  Watch watch;
  watch.progress = [&](const std::string& what, uint64_t, uint64_t) {
    heights.push_back(std::stoull(what.substr(what.find("height ") + 7)));
  };
  const uint64_t least = pack(problem, {.watch = &watch}).height;
  ASSERT_GT(heights.size(), 1u);
  const uint64_t first = heights.front();
  ASSERT_GT(first, least);
  for (const uint64_t capacity : {first, first - 1}) {
    heights.clear();
    problem.capacity_bytes = capacity;
    const Packing packing = pack(problem, {.watch = &watch});
    EXPECT_LE(packing.height, capacity);
    EXPECT_EQ(packing.height == first, capacity == first);
    EXPECT_EQ(heights.size() == 1, capacity == first);
  }
}

TEST(Pack, PacksWhatNeverMeetsApart) {
  // Two stretches of time: the second needs 7, and no less than the first's 12 is asked of it.
  PackProblem problem;
  problem.items = {item(5, 0, 1), item(7, 1, 2), item(3, 10, 11), item(4, 11, 12)};
  const Packing packing = pack(problem, {});
  EXPECT_EQ(packing.height, 12u);
  EXPECT_EQ(packing.lower_bound, 12u);
  expect_right(problem, packing.offsets, 12);
}

TEST(Pack, TakesNothingAndItemsWithoutBytes) {
  EXPECT_EQ(pack({}, {}).height, 0u);
  PackProblem problem;
  problem.items = {item(0, 0, 0), item(0, 0, 5)};
  EXPECT_EQ(pack(problem, {}).height, 0u);
}

TEST(EjectionSearch, KeepsToOverlapsAndFixedItems) {
  Random random(11);
  uint32_t lower = 0;
  for (int i = 0; i < 300; ++i) {
    PackProblem problem = random_pack_problem(random, 12, i % 2 == 0);
    if (i % 3 == 0) problem.items[0].fixed = Placement{0, 0};
    // All on one another, the fixed one at the bottom.
    Packing packing{std::vector<uint64_t>(problem.items.size()), 0, 0};
    for (uint32_t k = 0; k < problem.items.size(); ++k) {
      const uint64_t offset = align_up(packing.height, problem.items[k].alignment);
      packing.offsets[k] = offset;
      packing.height = offset + problem.items[k].size_bytes;
    }
    const uint64_t stacked = packing.height;
    Budget budget(UINT64_MAX, nullptr);
    EjectionSearch(problem).run(0, 200'000, random, budget, packing);
    expect_right(problem, packing.offsets, packing.height);
    ASSERT_LE(packing.height, stacked);
    lower += packing.height < stacked ? 1u : 0u;
  }
  EXPECT_GT(lower, 250u);
}

TEST(LongFirst, PacksVeryManyItems) {
  // More than are packed by an order; some fixed, which keep their places.
  const CheckedProblem trace(training_trace(3, 36'000));
  PackProblem problem{.items = trace.items(), .overlaps = {}};
  for (uint32_t i = 0; i < 3; ++i) problem.items[12'000 * i].fixed = Placement{0, 50'000'000};
  const std::optional<Packing> packing = pack_long_first(problem, UINT64_MAX, nullptr);
  ASSERT_TRUE(packing);
  Problem placed = trace.problem();
  Solution solution;
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    placed.buffers[i].fixed = problem.items[i].fixed;
    solution.placements.push_back({0, packing->offsets[i]});
  }
  const std::optional<Finding> finding = verify(placed, solution);
  EXPECT_FALSE(finding) << finding->message;
  // An order was done, and nothing else when it is ended before.
  Watch watch;
  watch.deadline = Watch::Clock::now();
  EXPECT_FALSE(pack_long_first(problem, 0, &watch));
}

TEST(Orders, EachOrderHasEachItemOnce) {
  Random random(2);
  const PackProblem problem = random_pack_problem(random, 20, false);
  Portfolio portfolio(problem, find_live_sets(problem.items));
  for (uint32_t k = 0; k < portfolio_size(); ++k) {
    std::vector<uint32_t> order(portfolio.order(k).begin(), portfolio.order(k).end());
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> all(problem.items.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(order, all) << portfolio_name(k);
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
