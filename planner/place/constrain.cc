// Looks names up in all methods, with and without "method:" before them, and edits the problem.
#include "planner/place/constrain.h"

#include "planner/graph/graph.h"
#include "planner/graph/names.h"

namespace arenite::planner {

using memory::Constraint;
using memory::Constraints;

BoardConstraints::BoardConstraints(const Constraints& constraints, const std::string& board,
                                   std::span<const MethodPlan> methods)
    : methods_(methods) {
  constraints_.file_name = constraints.file_name;
  for (const Constraint& entry : constraints.entries) {
    if (!entry.board.empty() && entry.board != board) continue;
    constraints_.entries.push_back(entry);
    find(entry, entry.tensor);
    if (!entry.tie) continue;
    find(entry, *entry.tie);
    ties_methods_ |= tensors_.at(entry.tensor).method != tensors_.at(*entry.tie).method;
  }
}

// Names may hold colons themselves: the part before one is a method only if a method has that name.
std::vector<BoardConstraints::Tensor> BoardConstraints::all_named(const std::string& name) const {
  std::vector<Tensor> found;
  for (uint32_t m = 0; m < methods_.size(); ++m) {
    const std::string prefix = methods_[m].method + ":";
    const std::vector<Storage>& storages = methods_[m].plan->storages;
    for (uint32_t r = 0; r < storages.size(); ++r) {
      const bool same =
          storages[r].name == name ||
          (name.starts_with(prefix) && storages[r].name == name.substr(prefix.size()));
      if (same) found.push_back({m, r});
    }
  }
  return found;
}

void BoardConstraints::find(const Constraint& entry, const std::string& name) {
  const std::vector<Tensor> found = all_named(name);
  const std::string text = quote(name);
  if (found.empty()) {
    throw InputError(memory::where(constraints_, entry) + "there is no tensor " + text +
                     " with bytes of its own; `arenite inspect` shows those that are left when the "
                     "model is optimized");
  }
  if (found.size() > 1) {
    throw InputError(memory::where(constraints_, entry) + std::to_string(found.size()) +
                     " tensors are named " + text +
                     (found[0].method != found[1].method ? "; expected METHOD:TENSOR" : ""));
  }
  const Tensor& tensor = found.front();
  const Storage& storage = methods_[tensor.method].plan->storages[tensor.storage];
  if (!storage.shares_memory()) {
    throw InputError(memory::where(constraints_, entry) + text +
                     (storage.kind == format::ArenaKind::kState
                          ? " is a state: it has an arena of its own"
                          : " is left to the caller (--io caller): it lies in no memory of the "
                            "board"));
  }
  tensors_.emplace(name, tensor);
}

Constrain BoardConstraints::constrain(Constraints entries, uint32_t first_method) const {
  if (entries.entries.empty()) return {};
  const std::string file_name = entries.file_name;
  const auto edit = [this, entries = std::move(entries), first_method](
                        memory::Problem& problem, std::span<const uint32_t> first_buffer) {
    const auto buffer = [&](const std::string& name) {
      const Tensor& tensor = tensors_.at(name);
      return first_buffer[tensor.method - first_method] + tensor.storage;
    };
    memory::apply_constraints(entries, buffer, problem);
  };
  return {edit, file_name};
}

Constrain BoardConstraints::for_method(uint32_t method) const {
  Constraints entries = constraints_;
  std::erase_if(entries.entries, [&](const Constraint& entry) {
    return tensors_.at(entry.tensor).method != method;
  });
  return constrain(std::move(entries), method);
}

Constrain BoardConstraints::for_all() const { return constrain(constraints_, 0); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
