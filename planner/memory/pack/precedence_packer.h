// Packs by exact search over precedences, and proves how low a packing can be.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/memory/pack/pack.h"
#include "planner/memory/pack/precedence_search.h"
#include "planner/memory/problem/budget.h"
#include "support/random.h"

namespace arenite::memory {

// Runs precedence searches (precedence_search.h) for heights between what is proved and the best
// packing. Plans keep clear of what lies between two uses of a pair of buffers, as minimalloc does;
// a proof must not count on that. Where the two differ there are two searches, and a height is
// impossible only when it is for both.
class PrecedencePacker {
 public:
  // `watch` may be null.
  PrecedencePacker(const PackProblem& problem, uint64_t seed, const Watch* watch)
      : problem_(problem), watch_(watch), random_(seed) {}

  // Lowers `best` and raises `proved`, a height that no packing is below, until they meet, the
  // height is `goal` or less, or so much work was spent, which `budget` pays.
  void run(uint64_t goal, uint64_t work_max, Budget& budget, Packing& best, uint64_t& proved);

 private:
  bool make_searches();
  uint64_t work() const;
  SearchEnd try_height(uint64_t height, uint64_t nodes_max);

  const PackProblem& problem_;
  const Watch* watch_;
  Random random_;
  std::optional<PrecedenceSearch> plans_;
  std::optional<PrecedenceSearch> proofs_;  // where it is another one
  uint64_t restart_ = 0;
  bool settled_ = false;  // nothing is left to try, or it is too large
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
