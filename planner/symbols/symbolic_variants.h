// Finds how the steps of placed variants follow from dims that callers choose.
//
//   for the most of each symbol:  graph -> steps -> places in memory
//   for samples of numbers:       graph -> the same steps, by their recipe -> their words
//   for each word that differs:   an expression that gives it for all samples
//
// Nothing is placed again: what is smaller lies where the largest does.
#pragma once

#include <span>
#include <vector>

#include "planner/options.h"
#include "planner/place/place_variants.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/symbolic.h"

namespace arenite::planner {

// For the variants of one method, in their order; all empty where it has no symbols. Throws
// InputError where a number of a symbol would make other steps, or words that follow from it in a
// way that is no expression: it says which, and names the node.
std::vector<SymbolicSchedule> symbolic_schedules(const NamedGraph& named,
                                                 std::span<const PlacedVariant> variants,
                                                 bool caller_io, ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
