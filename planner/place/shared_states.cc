// Compares what methods say of a state, and lays the states of all methods out as one arena.
#include "planner/place/shared_states.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/place/arenas.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;

// A state of a method.
struct Kept {
  const NamedGraph* method;
  const GraphState* state;

  const Value& value() const { return method->graph.values[method->graph.inputs[state->input]]; }
  // Its elements before the first run.
  std::vector<std::byte> initial() const {
    return state->initial != nullptr ? *state->initial
                                     : std::vector<std::byte>(value().dense_bytes());
  }
};

std::map<std::string, std::vector<Kept>> by_name(std::span<const NamedGraph> methods) {
  std::map<std::string, std::vector<Kept>> names;
  for (const NamedGraph& named : methods) {
    for (const GraphState& state : named.graph.states) {
      if (!state.shared.empty()) names[state.shared].push_back({&named, &state});
    }
  }
  return names;
}

std::string text_of(const Kept& kept) {
  const Value& value = kept.value();
  std::string text = dtype_name(value.dtype) + " " + dims_text(value.dims);
  const auto scaled = value.quantization ? value.quantization->one() : std::nullopt;
  if (scaled) {
    text += " of scale " + std::to_string(scaled->scale) + ", zero point " +
            std::to_string(scaled->zero_point);
  }
  return text + " in method " + quote(kept.method->method);
}

void check_alike(const std::string& name, const Kept& first, const Kept& other) {
  const Value& a = first.value();
  const Value& b = other.value();
  if (a.dtype != b.dtype || !always(a.dims == b.dims) || a.quantization != b.quantization) {
    throw InputError("state " + quote(name) + ", which methods share, is " + text_of(first) +
                     " and " + text_of(other) + ": expected the same type, dims and scale");
  }
  if (first.initial() != other.initial()) {
    throw InputError("state " + quote(name) + ", which methods share, begins in method " +
                     quote(first.method->method) + " with other elements than in method " +
                     quote(other.method->method));
  }
}

// The places of states in the arena that the variants of a board have in common.
class Layout {
 public:
  Layout(std::span<const NamedGraph> methods, std::vector<std::vector<PlacedVariant>>& variants,
         const Board& board)
      : methods_(methods), variants_(variants), board_(board) {}

  void run() {
    each_arena([&](size_t, PlacedVariant&, Arena& arena) {
      alignment_ = std::max(alignment_, arena.alignment);
    });
    each_arena([&](size_t m, PlacedVariant& placed, Arena&) { measure(m, placed.plan); });
    uint64_t end = 0;
    for (Slot& slot : slots_) {
      slot.offset = end;
      end = (end + slot.bytes + alignment_ - 1) / alignment_ * alignment_;
    }
    if (end > kArenaBytesMax) throw InputError("the states take more than 4 GiB");
    each_arena([&](size_t m, PlacedVariant& placed, Arena& arena) {
      arena.alignment = alignment_;
      arena.bytes = static_cast<uint32_t>(end);
      for (const GraphState& state : methods_[m].graph.states) {
        storage_of(placed.plan, state).offset =
            static_cast<uint32_t>(slots_[slot_of(m, state)].offset);
      }
    });
  }

 private:
  struct Slot {
    uint64_t bytes = 0, offset = 0;
  };

  static Storage& storage_of(Schedule& plan, const GraphState& state) {
    return plan.storages[plan.inputs[state.input]];
  }

  // Calls visit(method, variant, its arena of states) for each variant that has one.
  template <typename Visit>
  void each_arena(Visit visit) {
    for (size_t m = 0; m < variants_.size(); ++m) {
      for (PlacedVariant& placed : variants_[m]) {
        if (placed.board != &board_) continue;
        for (Arena& arena : placed.plan.arenas) {
          if (arena.kind == ArenaKind::kState) visit(m, placed, arena);
        }
      }
    }
  }

  void measure(size_t m, Schedule& plan) {
    for (const GraphState& state : methods_[m].graph.states) {
      Slot& slot = slots_[slot_of(m, state)];
      slot.bytes = std::max(slot.bytes, storage_of(plan, state).bytes);
    }
  }

  // The index of a state's slot: one for all methods that share the state.
  size_t slot_of(size_t m, const GraphState& state) {
    const auto key = state.shared.empty() ? std::pair(std::to_string(m), state.input)
                                          : std::pair("shared " + state.shared, 0u);
    const auto [known, added] = index_.emplace(key, slots_.size());
    if (added) slots_.emplace_back();
    return known->second;
  }

  std::span<const NamedGraph> methods_;
  std::vector<std::vector<PlacedVariant>>& variants_;
  const Board& board_;
  uint32_t alignment_ = 1;
  std::vector<Slot> slots_;
  std::map<std::pair<std::string, uint32_t>, size_t> index_;
};

}  // namespace

std::map<std::string, std::vector<std::string>> shared_states(std::span<const NamedGraph> methods) {
  std::map<std::string, std::vector<std::string>> shared;
  for (const auto& [name, all] : by_name(methods)) {
    if (all.size() < 2) continue;
    for (const Kept& kept : all) {
      check_alike(name, all[0], kept);
      shared[name].push_back(kept.method->method);
    }
    if (std::ranges::all_of(all, [](const Kept& one) { return one.state->output == kNoIndex; })) {
      throw InputError("state " + quote(name) +
                       ": no method sets it: expected an output that it takes in one of them, as "
                       "by --state OUT=" +
                       printable(name));
    }
  }
  return shared;
}

uint64_t states_bytes(std::span<const NamedGraph> methods) {
  uint64_t bytes = 0;
  std::set<std::string> counted;
  for (const NamedGraph& named : methods) {
    for (const GraphState& state : named.graph.states) {
      if (!state.shared.empty() && !counted.insert(state.shared).second) continue;
      bytes += Kept{&named, &state}.value().dense_bytes();
    }
  }
  return bytes;
}

void place_shared_states(std::span<const NamedGraph> methods,
                         std::vector<std::vector<PlacedVariant>>& variants) {
  std::set<const Board*> boards;
  for (const std::vector<PlacedVariant>& of_method : variants) {
    for (const PlacedVariant& placed : of_method) boards.insert(placed.board);
  }
  for (const Board* board : boards) Layout(methods, variants, *board).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
