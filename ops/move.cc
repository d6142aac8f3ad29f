// The contracts of family move, and the boxes of elements that each of its operators copies.
#include "ops/move.h"

#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_concat(const Step& step) {
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  if (axis >= y.rank()) return error(Code::kBadAttribute);
  uint64_t along = 0;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (!step.has_input(i)) return error(Code::kBadOperandCount);
    const Tensor x = step.input(i);
    if (x.rank() != y.rank()) return input_error(step, Code::kBadShape, i);
    for (uint32_t d = 0; d < y.rank(); ++d) {
      if (d != axis && x.dims[d] != y.dims[d]) return input_error(step, Code::kBadShape, i);
    }
    along += x.dims[axis];
  }
  return along == y.dims[axis] ? ok_status() : output_error(step, Code::kBadShape);
}

Status check_pad(const Step& step) {
  if (step.input(0).rank() != step.output(0).rank()) return output_error(step, Code::kBadShape);
  return check_single(step, 1);
}

Status check_slice(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != y.rank()) return output_error(step, Code::kBadShape);
  const auto attributes = step.attributes<SliceAttributes>();
  for (uint32_t d = 0; d < y.rank(); ++d) {
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

// The outputs of one axis of a pad that have an input: [begin, begin + count).
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

}  // namespace

constexpr Contract kCopyContract = {
    .op = Op::kCopy,
    .layout = {.kind = LayoutClass::kElementwise},
    .types = kCopyTypes,
    .check = check_map,
};

bool copy_boxes(const Step& step, uint32_t index, MoveBox& box) {
  if (index != 0) return false;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  for (uint32_t d = 0; d < y.rank(); ++d) {
    box.add(y.dims[d], signed_stride(x, d), signed_stride(y, d));
  }
  return true;
}

constexpr Contract kConcatContract = {
    .op = Op::kConcat,
    .max_inputs = 0xffff,
    .attribute_words = words_of<ConcatAttributes>(),
    .types = kConcatTypes,
    .check = check_concat,
};

bool concat_boxes(const Step& step, uint32_t index, MoveBox& box) {
  if (index >= step.input_count()) return false;
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  const Tensor x = step.input(index);
  box.y_first = box.carried;
  box.carried += size_t{x.dims[axis]} * y.strides[axis];
  box.input = index;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    box.add(x.dims[d], signed_stride(x, d), signed_stride(y, d));
  }
  return true;
}

constexpr Contract kPadContract = {
    .op = Op::kPad,
    .max_inputs = 2,
    .attribute_words = words_of<PadAttributes>(),
    .types = kPadTypes,
    .check = check_pad,
};

// The value everywhere, then the input over it.
bool pad_boxes(const Step& step, uint32_t index, MoveBox& box) {
  if (index > 1) return false;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<PadAttributes>();
  bool covers = true;  // the input leaves nothing of the value
  for (uint32_t d = 0; d < y.rank(); ++d) {
    const int32_t shift = attributes.begin[d];
    const Inside part = inside(shift, x.dims[d], y.dims[d]);
    covers = covers && part.count == y.dims[d];
    if (index == 0) {
      box.add(y.dims[d], 0, signed_stride(y, d));
      continue;
    }
    box.add(part.count, signed_stride(x, d), signed_stride(y, d));
    if (part.count == 0) continue;
    box.y_first += size_t{part.begin} * y.strides[d];
    box.x_first += size_t{static_cast<uint32_t>(int64_t{part.begin} - shift)} * x.strides[d];
  }
  if (index == 0) {
    if (covers) box.add(0, 0, 0);
    box.input = step.has_input(1) ? 1 : MoveBox::kValue;
    box.value[0] = attributes.value_bits[0];
    box.value[1] = attributes.value_bits[1];
  }
  return true;
}

constexpr Contract kSliceContract = {
    .op = Op::kSlice,
    .attribute_words = words_of<SliceAttributes>(),
    .layout = {.kind = LayoutClass::kViewOrFollows},
    .types = kSliceTypes,
    .check = check_slice,
};

bool slice_boxes(const Step& step, uint32_t index, MoveBox& box) {
  if (index != 0) return false;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<SliceAttributes>();
  for (uint32_t d = 0; d < y.rank(); ++d) {
    box.x_first += size_t{static_cast<uint32_t>(attributes.start[d])} * x.strides[d];
    const int64_t stride = int64_t{attributes.step[d]} * signed_stride(x, d);
    box.add(y.dims[d], static_cast<ptrdiff_t>(stride), signed_stride(y, d));
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
