// Plans the methods of a program together, where values keep their address from one to the next.
#include "planner/memory/methods.h"

#include <algorithm>
#include <map>

#include "planner/memory/items.h"

namespace arenite::memory {
namespace {

// Of a rigid group, in one method.
struct Presence {
  uint32_t born = UINT32_MAX;  // the first step of any member
  uint32_t last_member = 0;    // the one that dies last
};

uint64_t step_count(const Problem& problem) {
  uint64_t count = 1;
  for (const Buffer& buffer : problem.buffers) {
    count = std::max(count, uint64_t{buffer.lifetime.last} + 1);
  }
  return count;
}

void shift(Lifetime& lifetime, uint32_t steps) {
  lifetime.first += steps;
  lifetime.last += steps;
}

void append(const Problem& method, uint32_t step, Problem& joint) {
  const auto first = static_cast<uint32_t>(joint.buffers.size());
  for (Buffer buffer : method.buffers) {
    shift(buffer.lifetime, step);
    for (Gap& gap : buffer.gaps) shift(gap.steps, step);
    if (buffer.relative) buffer.relative->base += first;
    joint.buffers.push_back(std::move(buffer));
  }
  for (Overlap overlap : method.overlaps) {
    overlap.input += first;
    overlap.output += first;
    joint.overlaps.push_back(overlap);
  }
}

}  // namespace

JointProblem join_methods(std::span<const Problem> methods) {
  JointProblem joint;
  if (!methods.empty()) joint.problem.memories = methods.front().memories;
  uint64_t step = 0;
  for (const Problem& method : methods) {
    const uint64_t next = step + step_count(method);
    if (next > UINT32_MAX) throw InputError("the methods have more than 2^32 - 1 steps together");
    joint.first_buffer.push_back(static_cast<uint32_t>(joint.problem.buffers.size()));
    joint.first_step.push_back(static_cast<uint32_t>(step));
    append(method, static_cast<uint32_t>(step), joint.problem);
    step = next;
  }
  joint.first_buffer.push_back(static_cast<uint32_t>(joint.problem.buffers.size()));
  return joint;
}

void keep_between_methods(JointProblem& joint) {
  std::vector<Buffer>& buffers = joint.problem.buffers;
  const std::vector<Anchor> anchors = find_anchors(buffers);
  std::map<uint32_t, std::map<std::size_t, Presence>> groups;  // by root, then by method
  for (std::size_t method = 0; method + 1 < joint.first_buffer.size(); ++method) {
    for (uint32_t i = joint.first_buffer[method]; i < joint.first_buffer[method + 1]; ++i) {
      const auto [here, added] = groups[anchors[i].root].try_emplace(method);
      Presence& presence = here->second;
      presence.born = std::min(presence.born, buffers[i].lifetime.first);
      if (added || buffers[i].lifetime.last > buffers[presence.last_member].lifetime.last) {
        presence.last_member = i;
      }
    }
  }
  std::vector<bool> kept(buffers.size());
  for (const auto& [root, methods] : groups) {
    for (auto next = std::next(methods.begin()); next != methods.end(); ++next) {
      const uint32_t member = std::prev(next)->second.last_member;
      buffers[member].lifetime.last = next->second.born - 1;
      kept[member] = true;
    }
  }
  std::erase_if(joint.problem.overlaps,
                [&kept](const Overlap& overlap) { return kept[overlap.input]; });
}

std::vector<Solution> split_methods(const JointProblem& joint, const Solution& solution) {
  std::vector<Solution> solutions;
  for (std::size_t method = 0; method + 1 < joint.first_buffer.size(); ++method) {
    const auto begin = solution.placements.begin();
    solutions.push_back(
        {{begin + joint.first_buffer[method], begin + joint.first_buffer[method + 1]}});
  }
  return solutions;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
