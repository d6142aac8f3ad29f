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
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != y.rank()) return output_error(step, Code::kBadShape);
  const auto attributes = step.attributes<PadAttributes>();
  if (attributes.mode == PadMode::kValue) return check_single(step, 1);
  if (attributes.mode > PadMode::kWrap) return error(Code::kBadAttribute);
  if (step.has_input(1)) return error(Code::kBadOperandCount);
  for (uint32_t d = 0; d < y.rank(); ++d) {
    const int64_t begin = attributes.begin[d];
    if (begin < 0) return error(Code::kBadAttribute);
    if (begin + x.dims[d] > y.dims[d] || (x.dims[d] == 0 && y.dims[d] != 0)) {
      return output_error(step, Code::kBadShape);
    }
  }
  return ok_status();
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

// Outputs of one axis of a pad that take neighboring elements of x, or all the same one.
struct Part {
  uint32_t begin, count;  // of y
  uint32_t x;             // the element that the first takes
  int32_t step;           // from one to the next
};

// One axis of a pad by elements of x. Its parts are x itself, those before it and those behind it,
// in the order of y.
class PaddedAxis {
 public:
  PaddedAxis(PadMode mode, uint32_t begin, uint32_t x_dim, uint32_t y_dim)
      : mode_(mode), begin_(begin), x_(x_dim), y_(y_dim) {
    // All modes give the same for x of one element: that element.
    if (x_dim == 1) mode_ = PadMode::kEdge;
    // The length of a part, after which x turns or starts anew.
    period_ = mode_ == PadMode::kReflect ? x_ - 1 : x_;
    const bool once = mode_ == PadMode::kEdge;
    before_ = begin == 0 ? 0 : once ? 1 : (begin - 1) / period_ + 1;
    const uint32_t behind = y_dim - begin - x_dim;
    count_ = before_ + 1;
    if (behind != 0) count_ += once ? 1 : (behind - 1) / period_ + 1;
  }

  uint32_t count() const { return count_; }

  Part part(uint32_t i) const {
    if (i == before_) return {begin_, x_, 0, 1};
    const bool before = i < before_;
    // The distance from x in parts: 1 for its neighbors.
    const uint32_t away = before ? before_ - i : i - before_;
    if (mode_ == PadMode::kEdge) {
      return before ? Part{0, begin_, 0, 0} : Part{begin_ + x_, y_ - begin_ - x_, x_ - 1, 0};
    }
    const bool mirrored = mode_ == PadMode::kReflect && away % 2 == 1;
    const int64_t skipped = int64_t{period_} * (away - 1);
    const int64_t first = before ? int64_t{begin_} - skipped - period_ : begin_ + x_ + skipped;
    const int64_t last = first + period_ < y_ ? first + period_ : y_;
    const int64_t cut = first < 0 ? -first : 0;  // of the outermost part, what is not in y
    // The element that the whole part begins with; a mirrored one skips the end that it turns at.
    const bool reflects = mode_ == PadMode::kReflect;
    const int64_t from = !reflects  ? 0
                         : mirrored ? (before ? int64_t{x_} - 1 : int64_t{x_} - 2)
                         : before   ? 0
                                    : 1;
    const int32_t step = mirrored ? -1 : 1;
    return {static_cast<uint32_t>(first + cut), static_cast<uint32_t>(last - first - cut),
            static_cast<uint32_t>(from + cut * step), step};
  }

 private:
  PadMode mode_;
  uint32_t begin_, x_, y_, period_, before_, count_;
};

// Box `index` of a pad by elements of x: a part of each axis.
bool padded_boxes(const Step& step, const PadAttributes& attributes, uint32_t index, MoveBox& box) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return false;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    const auto begin = static_cast<uint32_t>(attributes.begin[d]);
    const PaddedAxis axis(attributes.mode, begin, x.dims[d], y.dims[d]);
    const Part part = axis.part(index % axis.count());
    index /= axis.count();
    box.y_first += size_t{part.begin} * y.strides[d];
    box.x_first += size_t{part.x} * x.strides[d];
    box.add(part.count, part.step * signed_stride(x, d), signed_stride(y, d));
  }
  return index == 0;
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
  const auto attributes = step.attributes<PadAttributes>();
  if (attributes.mode != PadMode::kValue) return padded_boxes(step, attributes, index, box);
  if (index > 1) return false;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
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

uint64_t pad_box_count(const Step& step, uint64_t enough) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<PadAttributes>();
  if (attributes.mode == PadMode::kValue) return 2;
  uint64_t count = is_empty(y) ? 0 : 1;
  for (uint32_t d = 0; d < y.rank() && count != 0 && count < enough; ++d) {
    const auto begin = static_cast<uint32_t>(attributes.begin[d]);
    count *= PaddedAxis(attributes.mode, begin, x.dims[d], y.dims[d]).count();
  }
  return count < enough ? count : enough;
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
