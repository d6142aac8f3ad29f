// The rows by which an operator's steps become dispatches: one for each form of its shaders.
#pragma once

#include <span>

#include "core/capabilities.h"
#include "core/contract.h"
#include "core/step.h"
#include "kernels/dispatch/command.h"
#include "kernels/dispatch/shader_needs.h"

namespace arenite {

// A choice: another form suits the step better.
inline constexpr uint32_t kNotSuitable = kNoIndex;

// For rows whose shaders do every step of their types.
inline bool accepts_every_step(const Step&) { return true; }

// One form of an operator on a GPU. A step names the row's `form` and a choice below `choices`:
// both are the planner's, the runtime carries out what the step says.
struct DispatchRow {
  uint8_t form;   // numbered for each operator; programs keep the number for ever
  Shader shader;  // of all its dispatches but the check's and the residual's (binary.h); twins.h
  TypeSet types;  // what T may be, of the types that the contract allows
  // Whether the form does this step with this choice; what concerns every op (types, ranges, empty
  // operands, placement, choices, scratch) has been looked at before.
  bool (*accepts)(const Step& step) = accepts_every_step;
  // Its dispatches; the step is accepted and output 0 is not empty.
  Status (*emit)(const Step& step, const DispatchSink& sink);
  bool accepts_empty_inputs = false;  // binds none of them then
  bool wide_results = false;          // floats in 16 bits may give results in float32
  uint32_t choices = 1;               // choice 0 is the plainest
  // The choice that suits a step on a device, or kNotSuitable; null: 0. The step's own choice is 0
  // meanwhile.
  uint32_t (*choose)(const Step& step, const Capabilities& device) = nullptr;
  // Reports indices in the data that lie outside, in dispatches of index_check.comp before all
  // others; null: nothing is looked at, and the shader clamps them in silence (rows of programs
  // that are older than the check).
  Status (*check)(const Step& step, const DispatchSink& sink) = nullptr;
  // Bytes of scratch for a step with its choice; null: none. They begin at a multiple of
  // kBufferAlignment.
  uint64_t (*scratch_bytes)(const Step& step) = nullptr;
};

// The forms of an operator, the best first; none where its steps are the CPU's.
std::span<const DispatchRow> rows_of(Op op);

// The row of a form, and that which a step names; null where there is none.
const DispatchRow* find_row(Op op, uint8_t form);
inline const DispatchRow* find_row(const Step& step) {
  return find_row(step.op(), step.record().form);
}

// The first thing that a shader needs and a device lacks; null where it lacks nothing.
const DeviceNeed* missing_need(Shader shader, const Capabilities& device);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
