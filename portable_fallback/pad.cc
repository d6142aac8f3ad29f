// The input shifted inside a frame of one value; negative padding crops.
#include <cstring>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/move.h"

namespace arenite {
namespace {

Status check_pad(const Step& step) {
  ARENITE_TRY(check_attributes<PadAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 2, .max_outputs = 1}));
  const OutTensor y = step.output(0);
  ARENITE_TRY(check_all_types(step, y.dtype));
  if (step.input(0).rank != y.rank) return output_error(step, Code::kBadShape);
  if (step.has_input(1) && bounded_count(step.input(1)) != 1) {
    return input_error(step, Code::kBadShape, 1);
  }
  return ok_status();
}

// The outputs of one axis that have an input: [begin, begin + count).
struct Inside {
  uint32_t begin, count;
};

Inside inside(int32_t shift, uint32_t x_dim, uint32_t y_dim) {
  const int64_t begin = shift > 0 ? shift : 0;
  int64_t end = int64_t{x_dim} + shift;
  end = end < y_dim ? end : y_dim;
  if (begin >= end) return {0, 0};
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)};
}

Status run_pad(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<PadAttributes>();
  const uint32_t bytes = element_bytes(y.dtype);
  // A uint64_t, so that the value is aligned for elements of any size.
  uint64_t value = attributes.value_bits[0] | uint64_t{attributes.value_bits[1]} << 32;
  if (step.has_input(1)) std::memcpy(&value, step.input(1).data, bytes);

  Move fill = {y.out, reinterpret_cast<const std::byte*>(&value), bytes, {}};
  Move move = {y.out, x.data, bytes, {}};
  bool any = true;
  bool all = true;
  for (uint32_t d = 0; d < y.rank; ++d) {
    fill.loop.add(y.dims[d], signed_stride(y, d), 0);
    const int32_t shift = attributes.begin[d];
    const Inside part = inside(shift, x.dims[d], y.dims[d]);
    any = any && part.count != 0;
    all = all && part.count == y.dims[d];
    const auto from = static_cast<uint32_t>(int64_t{part.begin} - shift);
    move.to += size_t{part.begin} * y.strides[d] * bytes;
    move.from += any ? size_t{from} * x.strides[d] * bytes : 0;
    move.loop.add(part.count, signed_stride(y, d), signed_stride(x, d));
  }
  if (!all) move_elements(platform, fill);
  if (any) move_elements(platform, move);
  return ok_status();
}

}  // namespace

constexpr Kernel kPadKernel = {
    .op = Op::kPad,
    .check = check_pad,
    .run = run_pad,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
