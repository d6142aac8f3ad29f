// Copies the chosen items, and the overlaps whose two sides are both chosen.
#include "planner/memory/assign/members.h"

#include <algorithm>

namespace arenite::memory {
namespace {

// The overlaps that can take effect, if a member has parts; else none.
std::vector<Overlap> overlaps_of_parts(const CheckedProblem& problem,
                                       std::span<const uint32_t> members) {
  std::vector<Overlap> found;
  const bool in_parts = std::any_of(members.begin(), members.end(),
                                    [&](uint32_t i) { return problem.items()[i].in_parts; });
  if (!in_parts) return found;
  for (const Overlap& overlap : problem.overlaps()) {
    const uint32_t dies = problem.buffers()[overlap.input].lifetime.last;
    if (dies == problem.buffers()[overlap.output].lifetime.first) found.push_back(overlap);
  }
  return found;
}

}  // namespace

PackProblem pack_problem_of(const CheckedProblem& problem, std::span<const uint32_t> members,
                            uint32_t memory) {
  PackProblem made;
  std::vector<uint32_t> place(problem.items().size(), UINT32_MAX);
  for (const uint32_t i : members) {
    place[i] = static_cast<uint32_t>(made.items.size());
    const Item& item = problem.items()[i];
    made.items.push_back({.root = item.root,
                          .size_bytes = item.size_bytes,
                          .alignment = problem.alignment_in(item, memory),
                          .lifetime = item.lifetime,
                          .fixed = item.fixed,
                          .solid = item.solid,
                          .uses = item.uses,
                          .in_parts = item.in_parts,
                          .parts = item.parts});
  }
  for (const Overlap& overlap : problem.item_overlaps()) {
    if (place[overlap.input] == UINT32_MAX || place[overlap.output] == UINT32_MAX) continue;
    made.overlaps.push_back({place[overlap.input], place[overlap.output], overlap.lead_bytes});
  }
  made.buffer_overlaps = overlaps_of_parts(problem, members);
  return made;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
