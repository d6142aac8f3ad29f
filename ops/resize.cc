// The contract of resize: sums of neighbors along up to three axes, by tables of where they begin
// and what they weigh.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

// Elements of the tables.
struct Tables {
  uint64_t firsts = 0, weights = 0;
};

Status check_axes(const Step& step, const ResizeAttributes& attributes, Tables& tables) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  uint32_t resized = 0;  // axes, a bit each
  for (uint32_t k = 0; k < kAxes; ++k) {
    const uint32_t taps = attributes.taps[k];
    if (taps == 0) {
      if (k == 0 || attributes.axis[k] != 0) return error(Code::kBadAttribute);
      continue;
    }
    const uint32_t axis = attributes.axis[k];
    const bool rises = k == 0 || (attributes.taps[k - 1] != 0 && axis > attributes.axis[k - 1]);
    if (!rises || axis >= y.rank() || taps > x.dims[axis]) return error(Code::kBadAttribute);
    resized |= 1u << axis;
    tables.firsts += y.dims[axis];
    tables.weights += uint64_t{y.dims[axis]} * taps;
  }
  for (uint32_t d = 0; d < y.rank(); ++d) {
    if ((resized >> d & 1u) == 0 && x.dims[d] != y.dims[d]) {
      return output_error(step, Code::kBadShape);
    }
  }
  return ok_status();
}

Status check_table(const Step& step, uint32_t i, uint64_t count) {
  const Tensor table = step.input(i);
  return table.rank() == 1 && table.dims[0] == count ? ok_status()
                                                     : input_error(step, Code::kBadShape, i);
}

Status check_resize(const Step& step) {
  const Tensor x = step.input(0);
  if (x.rank() != step.output(0).rank()) return output_error(step, Code::kBadShape);
  const auto attributes = step.attributes<ResizeAttributes>();
  Tables tables;
  ARENITE_TRY(check_axes(step, attributes, tables));
  if (step.input(1).dtype() != DType::kInt32) return input_error(step, Code::kBadType, 1);
  ARENITE_TRY(check_table(step, 1, tables.firsts));
  ARENITE_TRY(check_dense_enough(step, 0));
  if (!step.has_input(2)) {
    for (const uint32_t taps : attributes.taps) {
      if (taps > 1) return error(Code::kBadAttribute);
    }
    return attributes.fraction_bits == 0 ? ok_status() : error(Code::kBadAttribute);
  }
  // Weights are for floats and small integers alone.
  const DType type = x.dtype();
  const bool integers = has(types::kQuantizedFactor, type);
  if (!integers && !has(types::kFloatOrDouble, type)) {
    return input_error(step, Code::kBadType, 0);
  }
  const DType weights = integers                  ? DType::kInt16
                        : type == DType::kFloat64 ? DType::kFloat64
                                                  : DType::kFloat32;
  if (step.input(2).dtype() != weights) return input_error(step, Code::kBadType, 2);
  // The greatest number of bits that a sum has.
  const uint32_t bits_max = !integers ? 0 : type == DType::kInt16 ? 62 : 30;
  if (attributes.fraction_bits > bits_max) return error(Code::kBadAttribute);
  return check_table(step, 2, tables.weights);
}

}  // namespace

constexpr Contract kResizeContract = {
    .op = Op::kResize,
    .max_inputs = 3,
    .min_inputs = 2,
    .attribute_words = words_of<ResizeAttributes>(),
    .types = kResizeTypes,
    .inputs = {OperandType::kT, OperandType::kIndex, OperandType::kAny},
    .check = check_resize,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
