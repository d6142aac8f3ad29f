// Elements at regular steps, forwards or backwards.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
#include "portable_fallback/move.h"

namespace arenite {
namespace {

Status check_slice(const Step& step) {
  ARENITE_TRY(check_attributes<SliceAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 1}));
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  ARENITE_TRY(check_all_types(step, y.dtype));
  if (x.rank != y.rank) return output_error(step, Code::kBadShape);
  const auto attributes = step.attributes<SliceAttributes>();
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (attributes.step[d] == 0) return error(Code::kBadAttribute);
    if (y.dims[d] == 0) continue;
    // Between the first and the last element lie all others.
    const int64_t first = attributes.start[d];
    const int64_t last = first + int64_t{y.dims[d] - 1} * attributes.step[d];
    if (first < 0 || first >= x.dims[d] || last < 0 || last >= x.dims[d]) {
      return error(Code::kBadAttribute);
    }
  }
  return ok_status();
}

struct Slice {
  size_t first;     // element of x
  NestedLoop loop;  // operands y, x
};

Slice slice_of(const Step& step, const Tensor& x, const OutTensor& y) {
  const auto attributes = step.attributes<SliceAttributes>();
  Slice slice = {0, {}};
  for (uint32_t d = 0; d < y.rank; ++d) {
    slice.first += size_t{static_cast<uint32_t>(attributes.start[d])} * x.strides[d];
    const int64_t step_elements = int64_t{attributes.step[d]} * signed_stride(x, d);
    slice.loop.add(y.dims[d], signed_stride(y, d), static_cast<ptrdiff_t>(step_elements));
  }
  return slice;
}

Status run_slice(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const Slice slice = slice_of(step, x, y);
  const uint32_t bytes = element_bytes(y.dtype);
  Move move = {y.write<std::byte>(), x.read<std::byte>() + slice.first * bytes, bytes, slice.loop};
  move_elements(platform, move);
  return ok_status();
}

uint64_t slice_lead(const Step& step, uint32_t) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  LeadWalk walk;
  if (!is_empty(y)) {
    const Slice slice = slice_of(step, x, y);
    const uint32_t bytes = element_bytes(y.dtype);
    walk_move(walk, slice.loop, bytes, {0, static_cast<int64_t>(slice.first) * bytes});
  }
  return walk.lead_bytes();
}

}  // namespace

constexpr Kernel kSliceKernel = {
    .op = Op::kSlice,
    .check = check_slice,
    .run = run_slice,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = slice_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
