// Constraints of a user on a plan: tensors barred from memories, pinned, or tied to one another.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// One entry of a constraints file (docs/constraints.md).
struct Constraint {
  std::size_t number = 0;  // its place in the file; the first is 1
  std::string tensor;
  std::string board;                // for this board only; empty: for each
  std::vector<std::string> not_in;  // memories that it may not lie in
  std::optional<std::string> memory;
  std::optional<uint64_t> offset;  // in `memory`
  std::optional<std::string> tie;  // the tensor that it keeps a constant distance to
  int64_t distance_bytes = 0;      // its start less the other's, at most 2^60 either way
};

struct Constraints {
  std::string file_name;
  std::vector<Constraint> entries;
};

// "FILE, constraint 3 (tensor 'x'): " for messages about an entry.
std::string where(const Constraints& constraints, const Constraint& entry);

// The buffer of that name; throws InputError where there is not exactly one.
uint32_t buffer_named(const Problem& problem, const std::string& name);

// The entries become `allowed`, `fixed` and `relative` of the buffers that `find` gives for their
// tensors' names. Throws InputError with the entry for an unknown memory; a buffer that no memory
// is left for; pins or ties that contradict one another; ties that put two buffers that live at
// the same time on the same bytes. The problem has to be checked (check.h) after it.
void apply_constraints(const Constraints& constraints,
                       const std::function<uint32_t(const std::string& tensor)>& find,
                       Problem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
