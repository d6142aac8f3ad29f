// Growth: states whose dims are symbols, so that a run may leave them larger than it found them, as
// the cache of a decoder. Where LoadOptions::states is kGrowingStates, it is linked; with kStates
// such programs are refused.
//
// A run reads the state at the dims that it has, and gives it those of its output. The symbols take
// these dims with the next use of the instance, as what has just been put out keeps its own.
#pragma once

#include <cstdint>
#include <span>

#include "core/program.h"

namespace arenite {

class Instance;
struct StateTask;

struct GrowthFunctions {
  // Whether states of a variant, whose tables check_symbols accepts, may change so: what is patched
  // of an input's dims are symbols and it begins at zeros; its other dims are those of the output.
  // If not, `at` is the value.
  bool (*check)(const Program& program, const format::VariantRecord& variant,
                const format::SymbolicVariantRecord& record, uint32_t& at);
  // Whether some dim of a state of such a variant is a symbol.
  bool (*grows)(const StateTask& task);
  // Gives symbols the numbers that the last run left. Errors: those of set_symbols.
  Status (*settle)(Instance& instance);
  // Before the first step of a run: also whether states can take what it will leave. Errors, by
  // which nothing changes: kSymbolOutOfRange (value = the symbol), kBadShape, kBadRange (value =
  // the state's input).
  Status (*begin)(Instance& instance);
  // Instance::set_symbols, and Instance::set_shape once the symbols that are wanted are in the
  // frame.
  Status (*set)(Instance& instance, std::span<const uint32_t> numbers);
  Status (*change)(Instance& instance, const Tensor* input, std::span<const uint32_t> dims);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const GrowthFunctions kGrowth;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
