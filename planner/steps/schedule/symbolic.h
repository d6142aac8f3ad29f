// What of a placed schedule follows from symbols: for each of its words either nothing, or the
// expression whose result it is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/format.h"

namespace arenite::planner {

// In place of an expression: the word is the same whatever the symbols are.
inline constexpr uint32_t kFixedWord = 0xffffffffu;

// Expressions of the words of a form.
struct SymbolicForm {
  std::vector<uint32_t> shape;         // of the dims, then of the strides; empty: all are fixed
  uint32_t offset_bytes = kFixedWord;  // of the first element in its arena

  bool operator==(const SymbolicForm&) const = default;
};

struct SymbolicStep {
  std::vector<SymbolicForm> inputs, outputs;  // as the step's; of one that is left out nothing
  std::vector<uint32_t> attributes;           // empty: all are fixed
};

// Storages and steps are those of the schedule, in its order; storages behind those listed, and
// steps of a schedule without symbols, are fixed. Offsets of storages always are.
struct SymbolicSchedule {
  std::vector<format::ExpressionRecord> expressions;
  std::vector<SymbolicForm> storages;
  std::vector<SymbolicStep> steps;

  bool empty() const { return expressions.empty(); }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
