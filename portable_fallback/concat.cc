// Inputs laid one after another along an axis.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
#include "portable_fallback/move.h"

namespace arenite {
namespace {

Status check_concat(const Step& step) {
  ARENITE_TRY(check_attributes<ConcatAttributes>(step));
  const uint32_t inputs = step.input_count();
  ARENITE_TRY(check_operands(step, {.min_inputs = inputs, .max_inputs = inputs, .max_outputs = 1}));
  if (inputs == 0) return error(Code::kBadOperandCount);
  const OutTensor y = step.output(0);
  ARENITE_TRY(check_all_types(step, y.dtype));
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  if (axis >= y.rank) return error(Code::kBadAttribute);
  uint64_t along = 0;
  for (uint32_t i = 0; i < inputs; ++i) {
    const Tensor x = step.input(i);
    if (x.rank != y.rank) return input_error(step, Code::kBadShape, i);
    for (uint32_t d = 0; d < y.rank; ++d) {
      if (d != axis && x.dims[d] != y.dims[d]) return input_error(step, Code::kBadShape, i);
    }
    along += x.dims[axis];
  }
  return along == y.dims[axis] ? ok_status() : output_error(step, Code::kBadShape);
}

NestedLoop loop_of(const OutTensor& y, const Tensor& x) {
  NestedLoop loop;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loop.add(x.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  return loop;
}

Status run_concat(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  const uint32_t bytes = element_bytes(y.dtype);
  size_t offset = 0;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const Tensor x = step.input(i);
    if (is_empty(x)) continue;
    Move move = {y.write<std::byte>() + offset * bytes, x.read<std::byte>(), bytes, loop_of(y, x)};
    move_elements(platform, move);
    offset += size_t{x.dims[axis]} * y.strides[axis];
  }
  return ok_status();
}

// An input is read when those before it have been written.
uint64_t concat_lead(const Step& step, uint32_t input) {
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  const uint32_t bytes = element_bytes(y.dtype);
  LeadWalk walk;
  int64_t offset = 0;
  for (uint32_t i = 0; i <= input; ++i) {
    const Tensor x = step.input(i);
    if (is_empty(x)) continue;
    if (i == input) {
      walk_move(walk, loop_of(y, x), bytes, {offset * bytes, 0});
    } else {
      uint64_t last = 0;
      for (uint32_t d = 0; d < y.rank; ++d) last += uint64_t{x.dims[d] - 1} * y.strides[d];
      walk.write((offset + static_cast<int64_t>(last) + 1) * bytes);
    }
    offset += int64_t{x.dims[axis]} * y.strides[axis];
  }
  return walk.lead_bytes();
}

}  // namespace

constexpr Kernel kConcatKernel = {
    .op = Op::kConcat,
    .check = check_concat,
    .run = run_concat,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = concat_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
