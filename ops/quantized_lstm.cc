// The contract of quantized_lstm: TensorFlow Lite's cell of 8-bit activations with 16 bits inside.
#include "ops/quantized_lstm.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

bool has_dims(const Tensor& tensor, uint32_t rank, uint32_t first, uint32_t second,
              uint32_t third = 0) {
  return tensor.rank() == rank && tensor.dims[0] == first && tensor.dims[1] == second &&
         (rank < 3 || tensor.dims[2] == third);
}

bool are_multipliers(const int32_t* multipliers, const int32_t* shifts, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_multiplier(multipliers[i], shifts[i])) return false;
  }
  return true;
}

Status check_numbers(const QuantizedLstmAttributes& by) {
  constexpr int32_t kFactorEnd = 1 << 16, kShiftEnd = 31;
  const bool good = range_of(DType::kInt8).holds(by.x_zero_point) &&
                    are_multipliers(by.w_multipliers, by.w_shifts, kLstmGates) &&
                    are_multipliers(by.r_multipliers, by.r_shifts, kLstmGates) &&
                    are_multipliers(by.cell_multipliers, by.cell_shifts, 2) &&
                    is_multiplier(by.h_multiplier, by.h_shift) && by.tanh_multiplier >= 0 &&
                    by.tanh_multiplier < kFactorEnd && by.tanh_shift >= 0 &&
                    by.tanh_shift < kShiftEnd && by.cell_clip >= 0 &&
                    range_of(DType::kInt16).holds(by.cell_clip);
  return good ? check_requantization(by.output, DType::kInt8) : error(Code::kBadAttribute);
}

Status check_types(const Step& step) {
  if (step.dtype(kLstmR) != DType::kInt8) return input_error(step, Code::kBadType, kLstmR);
  if (step.dtype(kLstmBias) != DType::kInt32) {
    return input_error(step, Code::kBadType, kLstmBias);
  }
  if (step.dtype(kLstmH) != DType::kInt8) return input_error(step, Code::kBadType, kLstmH);
  if (step.dtype(kLstmC) != DType::kInt16) return input_error(step, Code::kBadType, kLstmC);
  if (step.dtype(kLstmTable) != DType::kUint16) {
    return input_error(step, Code::kBadType, kLstmTable);
  }
  if (step.output(1).dtype() != DType::kInt8) return output_error(step, Code::kBadType, 1);
  return step.output(2).dtype() == DType::kInt16 ? ok_status()
                                                 : output_error(step, Code::kBadType, 2);
}

Status check_quantized_lstm(const Step& step) {
  if (step.output_count() != 3) return error(Code::kBadOperandCount);
  ARENITE_TRY(check_numbers(step.attributes<QuantizedLstmAttributes>()));
  ARENITE_TRY(check_types(step));
  for (uint32_t i = kLstmX; i <= kLstmC; ++i) {
    if (is_empty(step.input(i))) return input_error(step, Code::kBadShape, i);
    ARENITE_TRY(check_dense_enough(step, i));
  }
  const Tensor x = step.input(kLstmX), h = step.input(kLstmH);
  if (x.rank() != 3) return input_error(step, Code::kBadShape, kLstmX);
  if (h.rank() != 2 || h.dims[0] != x.dims[1]) return input_error(step, Code::kBadShape, kLstmH);
  const uint32_t batch = h.dims[0], hidden = h.dims[1];
  if (!has_dims(step.input(kLstmW), 3, kLstmGates, hidden, x.dims[2])) {
    return input_error(step, Code::kBadShape, kLstmW);
  }
  if (!has_dims(step.input(kLstmR), 3, kLstmGates, hidden, hidden)) {
    return input_error(step, Code::kBadShape, kLstmR);
  }
  if (!has_dims(step.input(kLstmBias), 2, kLstmGates, hidden)) {
    return input_error(step, Code::kBadShape, kLstmBias);
  }
  if (!has_dims(step.input(kLstmC), 2, batch, hidden)) {
    return input_error(step, Code::kBadShape, kLstmC);
  }
  ARENITE_TRY(check_vector(step, kLstmTable, kLstmTableSize));
  if (!has_dims(step.output(0), 3, x.dims[0], batch, hidden)) {
    return output_error(step, Code::kBadShape);
  }
  for (uint32_t i = 1; i < 3; ++i) {
    if (!has_dims(step.output(i), 2, batch, hidden)) {
      return output_error(step, Code::kBadShape, i);
    }
  }
  return ok_status();
}

}  // namespace

constexpr Contract kQuantizedLstmContract = {
    .op = Op::kQuantizedLstm,
    .max_inputs = 7,
    .min_inputs = 7,
    .max_outputs = 3,
    .attribute_words = words_of<QuantizedLstmAttributes>(),
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kQuantizedLstmTypes,
    .inputs = {OperandType::kT, OperandType::kT, OperandType::kAny},
    .outputs = {OperandType::kT, OperandType::kAny},
    .check = check_quantized_lstm,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
