// The contract of svdf: a layer of low rank that looks back in time, its state given and returned.
#include <initializer_list>

#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

constexpr uint32_t kFeatures = 1, kTimes = 2, kBias = 3, kState = 4;

bool is_matrix(const Tensor& tensor, uint64_t rows, uint64_t columns) {
  return tensor.rank() == 2 && tensor.dims[0] == rows && tensor.dims[1] == columns;
}

Status check_types(const Step& step) {
  const bool floats = step.dtype(0) == DType::kFloat32;
  const DType times = step.dtype(kTimes);
  const bool good =
      floats ? times == DType::kFloat32 : times == DType::kInt8 || times == DType::kInt16;
  if (!good) return input_error(step, Code::kBadType, kTimes);
  if (step.dtype(kState) != times) return input_error(step, Code::kBadType, kState);
  const DType sums = floats ? DType::kFloat32 : DType::kInt32;
  if (step.has_input(kBias) && step.dtype(kBias) != sums) {
    return input_error(step, Code::kBadType, kBias);
  }
  return step.output(1).dtype() == times ? ok_status() : output_error(step, Code::kBadType, 1);
}

Status check_numbers(const Step& step, const SvdfAttributes& attributes) {
  if (step.dtype(0) == DType::kFloat32) {
    const bool none = attributes.x_zero_point == 0 && attributes.state_zero_point == 0 &&
                      attributes.multipliers[0] == 0 && attributes.multipliers[1] == 0;
    return none ? ok_status() : error(Code::kBadAttribute);
  }
  const bool good = range_of(DType::kInt8).holds(attributes.x_zero_point) &&
                    range_of(step.dtype(kState)).holds(attributes.state_zero_point) &&
                    is_multiplier(attributes.multipliers[0], attributes.shifts[0]) &&
                    is_multiplier(attributes.multipliers[1], attributes.shifts[1]);
  return good ? check_requantization(attributes.output, DType::kInt8) : error(Code::kBadAttribute);
}

Status check_svdf(const Step& step) {
  const auto attributes = step.attributes<SvdfAttributes>();
  if (step.output_count() != 2) return error(Code::kBadOperandCount);
  if (!step.has_input(kState)) return error(Code::kBadOperandCount);
  for (const uint32_t i : {uint32_t{0}, kFeatures, kTimes, kState}) {
    const Tensor operand = step.input(i);
    if (operand.rank() != 2 || is_empty(operand)) return input_error(step, Code::kBadShape, i);
    ARENITE_TRY(check_dense_enough(step, i));
  }
  ARENITE_TRY(check_types(step));
  ARENITE_TRY(check_numbers(step, attributes));
  const uint32_t batch = step.input(0).dims[0];
  const uint32_t features = step.input(kFeatures).dims[0];
  if (attributes.rank == 0 || features % attributes.rank != 0) return error(Code::kBadAttribute);
  const uint32_t units = features / attributes.rank;
  const uint64_t memory = uint64_t{features} * step.input(kTimes).dims[1];
  if (!is_matrix(step.input(kFeatures), features, step.input(0).dims[1])) {
    return input_error(step, Code::kBadShape, kFeatures);
  }
  if (step.input(kTimes).dims[0] != features) return input_error(step, Code::kBadShape, kTimes);
  ARENITE_TRY(check_vector(step, kBias, units));
  if (!is_matrix(step.input(kState), batch, memory)) {
    return input_error(step, Code::kBadShape, kState);
  }
  if (!is_matrix(step.output(0), batch, units)) return output_error(step, Code::kBadShape);
  return is_matrix(step.output(1), batch, memory) ? ok_status()
                                                  : output_error(step, Code::kBadShape, 1);
}

}  // namespace

constexpr Contract kSvdfContract = {
    .op = Op::kSvdf,
    .max_inputs = 5,
    .min_inputs = 3,
    .max_outputs = 2,
    .attribute_words = words_of<SvdfAttributes>(),
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kSvdfTypes,
    .inputs = {OperandType::kT, OperandType::kT, OperandType::kAny},
    .outputs = {OperandType::kT, OperandType::kAny},
    .check = check_svdf,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
