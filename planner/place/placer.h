// Plans the memory of one variant, or of several together, within the overlaps that are right.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "planner/memory/methods.h"
#include "planner/memory/plan.h"
#include "planner/place/place.h"

namespace arenite::planner {

// A plan of all jobs in the memories of a board.
struct Attempt {
  memory::JointProblem joint;
  memory::Solution solution;  // where it does not fit, as if the memory that ran out had no end
  bool fits = true;
  std::optional<uint32_t> first_unplaced;  // of the joint problem's buffers, where it does not fit
  // Of the problem with all permissions: what is proved of it holds of every plan.
  uint64_t lower_bound = 0;  // the peaks of no plan sum to less
  std::vector<memory::Overlap> all_overlaps;
  std::vector<VariantPlan> plans;  // of each job, placed
  std::vector<memory::MemoryReport> reports;
};

class Placer {
 public:
  Placer(std::span<const PlaceJob> jobs, const Board& board, memory::Algorithm algorithm,
         const Constrain& constrain)
      : jobs_(jobs), board_(board), algorithm_(algorithm), constrain_(constrain) {}

  // The jobs' plans are left as they are. Throws InputError where what `constrain` asks for
  // contradicts itself.
  Attempt run() const;

  // What error messages begin with.
  std::string title() const;

 private:
  using Permissions = std::vector<OverlapPermission>;

  Attempt attempt(const std::vector<Permissions>& permissions) const;
  Attempt attempt_kept(std::vector<Permissions> permissions) const;
  void finish(std::vector<memory::Problem> problems, Attempt& result) const;

  std::span<const PlaceJob> jobs_;
  const Board& board_;
  memory::Algorithm algorithm_;
  const Constrain& constrain_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
