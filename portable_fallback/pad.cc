// The input shifted inside a frame of one value; negative padding crops.
#include "core/attributes.h"
#include "core/kernel.h"
#include "core/shape.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
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

// What is copied, once the frame has been filled.
struct Interior {
  bool any = true;      // something is
  bool all = true;      // nothing is left of the frame
  size_t y = 0, x = 0;  // first elements
  NestedLoop loop;      // operands y, x
};

Interior interior_of(const PadAttributes& attributes, const Tensor& x, const OutTensor& y) {
  Interior interior;
  for (uint32_t d = 0; d < y.rank; ++d) {
    const int32_t shift = attributes.begin[d];
    const Inside part = inside(shift, x.dims[d], y.dims[d]);
    interior.any = interior.any && part.count != 0;
    interior.all = interior.all && part.count == y.dims[d];
    const auto from = static_cast<uint32_t>(int64_t{part.begin} - shift);
    interior.y += size_t{part.begin} * y.strides[d];
    interior.x += interior.any ? size_t{from} * x.strides[d] : 0;
    interior.loop.add(part.count, signed_stride(y, d), signed_stride(x, d));
  }
  return interior;
}

Status run_pad(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<PadAttributes>();
  const uint32_t bytes = element_bytes(y.dtype);
  // A uint64_t, so that the value is aligned for elements of any size.
  uint64_t value = attributes.value_bits[0] | uint64_t{attributes.value_bits[1]} << 32;
  auto* value_bytes = reinterpret_cast<std::byte*>(&value);
  if (step.has_input(1)) take(value_bytes, step.input(1).read<std::byte>(), bytes);

  const Interior interior = interior_of(attributes, x, y);
  if (!interior.all) {
    Move fill = {y.write<std::byte>(), Src<std::byte>(value_bytes), bytes, {}};
    for (uint32_t d = 0; d < y.rank; ++d) fill.loop.add(y.dims[d], signed_stride(y, d), 0);
    move_elements(platform, fill);
  }
  if (interior.any) {
    Move move = {y.write<std::byte>() + interior.y * bytes,
                 x.read<std::byte>() + interior.x * bytes, bytes, interior.loop};
    move_elements(platform, move);
  }
  return ok_status();
}

uint64_t pad_lead(const Step& step, uint32_t input) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  LeadWalk walk;
  // The value is read first.
  if (is_empty(y) || input != 0) return 0;
  const uint32_t bytes = element_bytes(y.dtype);
  const Interior interior = interior_of(step.attributes<PadAttributes>(), x, y);
  if (!interior.all) walk.write(static_cast<int64_t>(extent_bytes(y)));
  if (interior.any) {
    walk_move(walk, interior.loop, bytes,
              {static_cast<int64_t>(interior.y) * bytes, static_cast<int64_t>(interior.x) * bytes});
  }
  return walk.lead_bytes();
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
    .lead_bytes = pad_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
