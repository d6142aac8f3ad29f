// The generated problems are what they say: their plans are right and as good as can be.
#include "tests/planner/memory/generators.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "planner/memory/assign/assign.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

constexpr uint32_t kSeeds = 60;

struct Named {
  std::string name;
  Known known;
};

// One of each kind and of some kinds on top of each other.
std::vector<Named> all_kinds(uint32_t seed) {
  const PackingSize size{5 + seed % 40, 4 + seed % 30, 10 + 7 * (seed % 30)};
  return {
      {"guillotine", guillotine_packing(seed, size)},
      {"pinwheel", pinwheel_packing(seed, size)},
      {"near perfect", near_perfect_packing(seed, size)},
      {"tiled loop", tiled_loop(seed, 1 + seed % 9)},
      {"training", training_graph(seed, 1 + seed % 9)},
      {"in place", in_place_chain(seed, 1 + seed % 20)},
      {"trailing", trailing_pairs(seed, 1 + seed % 9)},
      {"full memories", full_memories(seed, 2 + seed % 4, size)},
      {"aligned", aligned(guillotine_packing(seed, size), 16)},
      {"fixed", with_fixed(pinwheel_packing(seed, size), seed)},
      {"views", with_views(pinwheel_packing(seed, size), seed)},
      {"everything", aligned(with_fixed(with_views(full_memories(seed, 3, size), seed), seed), 12)},
  };
}

TEST(Generators, PlansAreRightAndHaveTheKnownHeightAndTraffic) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    for (const auto& [name, known] : all_kinds(seed)) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      const std::optional<Finding> finding = verify(known.problem, known.solution);
      ASSERT_FALSE(finding) << finding->message;
      if (known.height) {
        const uint64_t height = make_report(known.problem, known.solution).peak_sum_bytes;
        if (name != "near perfect") {
          ASSERT_EQ(height, *known.height);
        }
        if (known.problem.overlaps.empty()) {
          ASSERT_EQ(lower_bound(known.problem), *known.height);
        } else {
          ASSERT_LE(lower_bound(known.problem), *known.height);
        }
      }
      if (known.traffic) {
        ASSERT_GE(traffic_cost(known.problem, known.solution),
                  static_cast<double>(*known.traffic) * (1 - 1e-12));
      }
    }
  }
}

TEST(Generators, NoAlgorithmBeatsTheKnownBest) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    for (const auto& [name, known] : all_kinds(seed)) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      for (const std::string_view algorithm : algorithm_names()) {
        const Outcome outcome =
            plan(*find_algorithm(algorithm), known.problem, {.work_max = 20'000});
        const auto* solution = std::get_if<Solution>(&outcome);
        if (solution == nullptr) continue;
        const std::optional<Finding> finding = verify(known.problem, *solution);
        ASSERT_FALSE(finding) << finding->message;
        if (known.height) {
          ASSERT_GE(make_report(known.problem, *solution).peak_sum_bytes, *known.height);
        }
      }
    }
  }
}

TEST(Generators, PinwheelsCannotBePartedByOneCut) {
  // The smallest pinwheel, five pieces: each straight line through the whole cuts some piece.
  const PackingSize size{5, 30, 200};
  uint32_t wheels = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Known known = pinwheel_packing(seed, size);
    ASSERT_EQ(known.problem.buffers.size(), 5u);
    for (uint32_t step = 1; step < size.steps; ++step) {
      bool crossed = false;
      for (const Buffer& buffer : known.problem.buffers) {
        crossed |= buffer.lifetime.first < step && step <= buffer.lifetime.last;
      }
      ASSERT_TRUE(crossed) << step;
    }
    ++wheels;
  }
  EXPECT_EQ(wheels, 20u);
}

TEST(Generators, SearchPacksSmallFullRectangles) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const PackingSize size{6 + seed % 14, 12, 100};
    for (const Known& known :
         {guillotine_packing(seed, size), pinwheel_packing(seed, size), tiled_loop(seed, 6),
          in_place_chain(seed, 9), trailing_pairs(seed, 4)}) {
      const Outcome outcome = plan(Algorithm::kSearch, known.problem);
      const Solution& solution = std::get<Solution>(outcome);
      ASSERT_FALSE(verify(known.problem, solution)) << seed;
      ASSERT_EQ(make_report(known.problem, solution).peak_sum_bytes, *known.height) << seed;
    }
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
