// Counts, step by step, what a Vulkan variant's dispatches need.
#pragma once

#include <vector>

#include "core/backend.h"
#include "planner/graph/graph.h"
#include "planner/graph/symbol.h"
#include "planner/program/writer.h"

namespace arenite::planner {

// Sizes that a variant is counted and proved with, where a method has more: all of short ranges.
inline constexpr size_t kProvedSizesMax = 2000;

// A step of a Vulkan variant that no form does with dims of some size.
class SizeError : public InputError {
 public:
  SizeError(uint32_t index, const std::string& what) : InputError(what), variant(index) {}
  uint32_t variant;  // index in tables.variants
};

// Fills the dispatches of each Vulkan step and the variant's exact counts: dispatches, pipelines,
// descriptor sets (one a dispatch). Where dims follow from `symbols`, each count is that of the
// size that needs most, of all sizes up to kProvedSizesMax and of as many else; of pipelines as
// many as all sizes need together, up to kPipelinesADispatchMax for each dispatch. A step whose
// form does not take it where its values lie, or at some size, gets another that suits the
// variant's requirements. `variant` indexes tables.variants; it is the last one, and all its other
// records are final. Throws SizeError.
void count_dispatches(ProgramTables& tables, uint32_t variant, const std::vector<Symbol>& symbols);

// Whether the dispatches of a variant, with the dims that the bindings have now, are within its
// counts. Errors: kBadStep (with the step), kUnsupported (with the step that no shader does), and
// kBadPlan (value: 0 dispatches, 1 pipelines, 2 bytes of parameters, 3 descriptor sets).
Status check_dispatch_counts(const BackendTask& task);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
