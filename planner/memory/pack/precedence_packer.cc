// Tries heights between the bound and the best packing, in growing turns, on each component.
#include "planner/memory/pack/precedence_packer.h"

#include <algorithm>

namespace arenite::memory {

bool PrecedencePacker::make_searches() {
  if (count_pairs(problem_.items) > PrecedenceSearch::kConflictsMax) return false;
  std::vector<Conflict> plans = find_conflicts(problem_, Detail::kBuffers);
  std::vector<Conflict> proofs = find_conflicts(problem_, Detail::kUses);
  if (std::max(plans.size(), proofs.size()) > PrecedenceSearch::kConflictsMax) return false;
  if (plans != proofs) proofs_.emplace(problem_, std::move(proofs), watch_);
  plans_.emplace(problem_, std::move(plans), watch_);
  return true;
}

uint64_t PrecedencePacker::work() const { return plans_->work() + (proofs_ ? proofs_->work() : 0); }

SearchEnd PrecedencePacker::try_height(uint64_t height, uint64_t nodes_max) {
  const SearchEnd end = plans_->run(height, nodes_max, random_);
  if (end != SearchEnd::kImpossible || !proofs_) return end;
  const SearchEnd proof = proofs_->run(height, nodes_max, random_);
  // A plan that is right, but not one that minimalloc takes: so high it is, and no less is proved.
  if (proof == SearchEnd::kFound) settled_ = true;
  return proof == SearchEnd::kImpossible ? proof : SearchEnd::kLimit;
}

void PrecedencePacker::run(uint64_t goal, uint64_t work_max, Budget& budget, Packing& best,
                           uint64_t& proved) {
  if (!plans_ && !settled_) settled_ = !make_searches();
  if (settled_) return;
  uint64_t work_left = work_max;
  for (; !settled_ && best.height > std::max(goal, proved); ++restart_) {
    if (work_left == 0 || stopped(watch_)) return;
    // The next height down proves the best packing least; the bound, and heights on the way to it,
    // find lower ones sooner.
    const uint64_t low = std::max(goal, proved);
    const uint64_t high = best.height - 1;
    const uint64_t heights[] = {high, low, low + (high - low) / 2};
    const bool only_fits = problem_.capacity_bytes != kUnbounded;
    const uint64_t height = only_fits ? low : heights[restart_ % 3];
    const uint64_t before = work();
    const SearchEnd end = try_height(height, 500 + 200 * restart_);
    const uint64_t spent = work() - before;
    work_left -= std::min(work_left, spent);
    budget.spend(spent);
    if (end == SearchEnd::kImpossible) {
      proved = height + 1;
      settled_ = only_fits;
    }
    if (end != SearchEnd::kFound) continue;
    best.offsets.assign(plans_->offsets().begin(), plans_->offsets().end());
    best.height = height_of(problem_, best.offsets);
    tell_progress(budget.watch(), best, "deciding precedences");
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
