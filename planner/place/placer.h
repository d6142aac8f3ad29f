// Plans the memory of one variant, or of several together, within the overlaps that are right.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "planner/board/board.h"
#include "planner/memory/plan.h"
#include "planner/memory/problem/check.h"
#include "planner/place/place.h"

namespace arenite::memory {

// The problems of several methods as one. Methods never run at the same time, so the steps of each
// follow those of the one before it, and a byte of one method is free for the others.
//
//   time ->  | method 0 | method 1 |     x, tied across both, lives on in between
//            |   x--x   |   x----x |
struct JointProblem {
  Problem problem;
  std::vector<uint32_t> first_buffer;  // of each method, then the number of buffers
  std::vector<uint32_t> first_step;    // of each method
};

// All have the same memories. Throws InputError when there are more than 2^32 steps in all.
JointProblem join_methods(std::span<const Problem> methods);

// Makes what is tied across methods (Buffer::relative) last from one to the next: of a group's
// buffers in a method, the one that dies last lives until the group's first buffer in a later
// method is born. Such a buffer no longer yields its bytes to an output (Problem::overlaps).
void keep_between_methods(JointProblem& joint);

// The placements of each method, whose first buffers are JointProblem::first_buffer.
std::vector<Solution> split_methods(std::span<const uint32_t> first_buffer,
                                    const Solution& solution);

}  // namespace arenite::memory

namespace arenite::planner {

// A plan of all jobs in the memories of a board.
struct Attempt {
  explicit Attempt(memory::CheckedProblem checked) : problem(std::move(checked)) {}

  memory::CheckedProblem problem;      // of all jobs together
  std::vector<uint32_t> first_buffer;  // as of JointProblem
  std::vector<uint32_t> first_step;
  memory::Solution solution;  // where it does not fit, as if the memory that ran out had no end
  bool fits = true;
  std::optional<uint32_t> first_unplaced;  // of the problem's buffers, where it does not fit
  // Facts of the problem with all permissions: its bounds hold for every plan.
  uint64_t lower_bound = 0;  // the peaks of no plan sum to less
  std::vector<memory::Overlap> all_overlaps;
  std::vector<Schedule> plans;  // of each job, placed
  std::vector<memory::MemoryReport> reports;
};

class Placer {
 public:
  Placer(std::span<const PlaceJob> jobs, const Board& board, memory::Algorithm algorithm,
         const Constrain& constrain)
      : jobs_(jobs), board_(board), algorithm_(algorithm), constrain_(constrain) {}

  // The jobs' plans are left as they are. Throws InputError where what `constrain` asks for
  // contradicts itself. One plan of the memory where it keeps to what is right; again only
  //   1. with an overlap narrowed that was right in the very place alone, and lies elsewhere;
  //   2. without overlaps that would keep a step to one thread, where the board has several.
  Attempt run() const;

  // Everything where it is fixed: nothing is planned.
  Attempt as_fixed() const;

  // The beginning of error messages.
  std::string title() const;

 private:
  using Permissions = std::vector<OverlapPermission>;

  std::vector<Permissions> all_permissions() const;
  Attempt attempt(const std::vector<Permissions>& permissions, bool fixed = false) const;
  Attempt attempt_kept(std::vector<Permissions> permissions) const;
  void mark(Attempt& result, const std::vector<Permissions>& permissions) const;
  void solve(Attempt& result) const;
  void finish(std::vector<memory::Problem> problems, Attempt& result) const;

  std::span<const PlaceJob> jobs_;
  const Board& board_;
  memory::Algorithm algorithm_;
  const Constrain& constrain_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
