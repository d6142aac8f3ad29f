// How an operator's steps become dispatches: one row for each form in which shaders do it.
#pragma once

#include <span>

#include "core/capabilities.h"
#include "core/step.h"
#include "kernels/dispatch/dispatch.h"
#include "kernels/dispatch/shader_needs.h"

namespace arenite {

// A choice: another form suits the step better.
inline constexpr uint32_t kNotSuitable = kNoIndex;

// One form of an operator on a GPU. A step names the row's `form` and a choice below `choices`:
// both are the planner's, the runtime carries out what the step says.
struct DispatchRow {
  Op op;
  uint8_t form;   // numbered for each operator; programs keep the number for ever
  Shader shader;  // of all its dispatches but the check's
  // Whether the form does this step with this choice; what concerns every op (ranges, empty
  // operands, placement, choices, scratch) has been looked at before.
  bool (*accepts)(const Step& step);
  // Its dispatches; the step is accepted and output 0 is not empty.
  Status (*emit)(const Step& step, const DispatchSink& sink);
  bool takes_empty_inputs = false;  // binds none of them then
  uint32_t choices = 1;             // choice 0 is the plainest
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

// The first thing that a row's shader needs and a device lacks; null where it lacks nothing.
const DeviceNeed* missing_need(const DispatchRow& row, const Capabilities& device);

// The rows of families, in <family>.cc; the step's op tells the member.
bool supports_unary(const Step& step);
Status emit_unary(const Step& step, const DispatchSink& sink);
bool supports_binary(const Step& step);
Status emit_binary(const Step& step, const DispatchSink& sink);
// Form 1 of these: integers and bool.
bool supports_unary_any(const Step& step);
Status emit_unary_any(const Step& step, const DispatchSink& sink);
bool supports_binary_any(const Step& step);
Status emit_binary_any(const Step& step, const DispatchSink& sink);
bool supports_reduce_any(const Step& step);
Status emit_reduce_any(const Step& step, const DispatchSink& sink);
bool supports_reduce(const Step& step);
Status emit_reduce(const Step& step, const DispatchSink& sink);
bool supports_pool(const Step& step);
Status emit_pool(const Step& step, const DispatchSink& sink);
bool supports_pool_any(const Step& step);
Status emit_pool_any(const Step& step, const DispatchSink& sink);
bool supports_move(const Step& step);
Status emit_move(const Step& step, const DispatchSink& sink);
bool supports_softmax(const Step& step);
Status emit_softmax(const Step& step, const DispatchSink& sink);
bool supports_indexed(const Step& step);
Status emit_indexed(const Step& step, const DispatchSink& sink);
Status check_indexed(const Step& step, const DispatchSink& sink);
bool supports_recurrent(const Step& step);
uint64_t scratch_bytes_of_recurrent(const Step& step);
Status emit_recurrent(const Step& step, const DispatchSink& sink);
bool supports_recurrent_group(const Step& step);
uint32_t choose_recurrent_group(const Step& step, const Capabilities& device);
Status emit_recurrent_group(const Step& step, const DispatchSink& sink);
// Forms 2 and 3 of these: with lengths, which are checked.
bool supports_recurrent_lengths(const Step& step);
bool supports_recurrent_group_lengths(const Step& step);
Status check_recurrent(const Step& step, const DispatchSink& sink);

// Those of operators with files of their own: supports_<name> and emit_<name>, of the rows that
// rules.cc lists.
#define ARENITE_OP_own(number, name, Type, set) \
  bool supports_##name(const Step& step);       \
  Status emit_##name(const Step& step, const DispatchSink& sink);
#include "schema/ops.def"

// Further forms.
bool supports_conv_panel(const Step& step);
uint32_t choose_conv_panel(const Step& step, const Capabilities& device);
Status emit_conv_panel(const Step& step, const DispatchSink& sink);
bool supports_conv_depthwise(const Step& step);
uint32_t choose_conv_depthwise(const Step& step, const Capabilities& device);
Status emit_conv_depthwise(const Step& step, const DispatchSink& sink);
uint32_t choose_matmul(const Step& step, const Capabilities& device);
bool supports_matmul_split(const Step& step);
uint32_t choose_matmul_split(const Step& step, const Capabilities& device);
uint64_t scratch_bytes_of_matmul_split(const Step& step);
Status emit_matmul_split(const Step& step, const DispatchSink& sink);
uint64_t scratch_bytes_of_dynamic_quantize(const Step& step);
uint64_t scratch_bytes_of_integer_sums(const Step& step);
uint64_t scratch_bytes_of_quantized_lstm(const Step& step);
bool supports_quantized_conv_dot(const Step& step);
Status emit_quantized_conv_dot(const Step& step, const DispatchSink& sink);
bool supports_quantized_matmul_dot(const Step& step);
Status emit_quantized_matmul_dot(const Step& step, const DispatchSink& sink);
uint32_t choose_normalize(const Step& step, const Capabilities& device);
uint32_t choose_quantized_softmax(const Step& step, const Capabilities& device);
uint32_t choose_quantized_sum(const Step& step, const Capabilities& device);
uint32_t choose_reduce(const Step& step, const Capabilities& device);
uint32_t choose_softmax(const Step& step, const Capabilities& device);
uint32_t choose_softmax_subgroup(const Step& step, const Capabilities& device);
Status emit_softmax_subgroup(const Step& step, const DispatchSink& sink);
Status check_gather(const Step& step, const DispatchSink& sink);
Status check_max_unpool(const Step& step, const DispatchSink& sink);
Status check_reverse_sequence(const Step& step, const DispatchSink& sink);
Status check_roi_align(const Step& step, const DispatchSink& sink);
bool supports_cast_copy(const Step& step);
Status emit_cast_copy(const Step& step, const DispatchSink& sink);
bool supports_clip_constant(const Step& step);
Status emit_clip_constant(const Step& step, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
