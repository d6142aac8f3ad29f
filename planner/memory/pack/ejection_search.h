// Local search for a packing of a given height: puts items where least is in the way, and takes
// that out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/budget.h"
#include "support/random.h"

namespace arenite::memory {

// Ejection chains under weights that grow with conflicts (Faroe, Pisinger, Zachariasen: "Guided
// local search for the three-dimensional bin-packing problem", 2003; conflict weights as in
// breakout local search). Overlaps, gaps and fixed items hold: two items forbid each other a range
// of distances (uses.h), and nothing else is asked of them.
//   1. Below the height wanted, all items stay where the best packing has them but for those that
//      pass it: these are out.
//   2. One that is out goes to the offset, among those that touch another item, at which the items
//      in its way weigh least; these are then out, and weigh more.
//   3. Nothing is out: a packing is found. The next height wanted is one below what it reached.
//
//   height  - - - - +---+- -        a passed the height; at b's place only b is in its way,
//         +---+     | a |           and b finds room elsewhere
//         | b |  <--+---+
//         +---+ ...
class EjectionSearch {
 public:
  // No more neighbors than this altogether: they are kept as pairs.
  static constexpr uint64_t kPairsMax = 4'000'000;

  explicit EjectionSearch(const PackProblem& problem);

  // Lowers `best` until it is `goal` or less or so much work was spent.
  void run(uint64_t goal, uint64_t work_max, Random& random, Budget& budget, Packing& best);

 private:
  struct Neighbor {
    uint32_t item = 0;
    int64_t low = 0;  // starts strictly between its start + low and + high are in its way
    int64_t high = 0;
  };
  struct Edge {
    int64_t at = 0;
    double weight = 0;
  };

  bool fill(uint64_t height, uint64_t& work_left, Random& random, Budget& budget);
  // Nothing where only fixed items are in all its ways.
  std::optional<uint64_t> least_in_the_way(uint32_t i, uint64_t height, Random& random);
  void put(uint32_t i, uint64_t offset);
  void sum_up(std::vector<Edge>& edges);

  const PackProblem& problem_;
  std::vector<std::vector<Neighbor>> neighbors_;
  std::vector<double> area_;  // as a part of the largest
  std::vector<double> weight_;
  std::vector<uint64_t> offset_;
  std::vector<bool> in_;
  std::vector<uint32_t> out_;
  std::vector<Edge> begins_, ends_;
  std::vector<uint64_t> candidates_;
  uint64_t work_ = 0;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
