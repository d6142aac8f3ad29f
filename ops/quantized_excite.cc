// The contract of quantized_excite: each channel of x times a gate, which two products of integers
// make of one number a channel.
#include "ops/quantized_excite.h"
#include <initializer_list>
#include "ops/quantized_conv_ends.h"

#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"
#include "ops/result_tables.h"

namespace arenite {
namespace {

Status check_types(const Step& step) {
  if (step.dtype(kMeansInput) != step.dtype(0)) {
    return input_error(step, Code::kBadType, kMeansInput);
  }
  for (const uint32_t i : {kHiddenEndsInput, kGateEndsInput}) {
    if (step.dtype(i) != DType::kInt32) return input_error(step, Code::kBadType, i);
  }
  return has(types::kByte, step.dtype(kGateWeightsInput))
             ? ok_status()
             : input_error(step, Code::kBadType, kGateWeightsInput);
}

Status check_shapes(const Step& step) {
  const Tensor x = step.input(0), means = step.input(kMeansInput);
  const Tensor w = step.input(kGateWeightsInput);
  if (x.rank() != 4) return input_error(step, Code::kBadShape, 0);
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_dense_enough(step, 0));
  if (means.rank() != 4 || means.dims[0] != x.dims[0] || means.dims[1] != x.dims[1] ||
      means.dims[2] != 1 || means.dims[3] != 1) {
    return input_error(step, Code::kBadShape, kMeansInput);
  }
  if (w.rank() != 3 || w.dims[0] != 2 || w.dims[1] > kSqueezeRowsMax || w.dims[2] != x.dims[1]) {
    return input_error(step, Code::kBadShape, kGateWeightsInput);
  }
  ARENITE_TRY(check_dense_enough(step, kGateWeightsInput));
  ARENITE_TRY(check_ends(step, kHiddenEndsInput, w.dims[1]));
  ARENITE_TRY(check_ends(step, kGateEndsInput, x.dims[1]));
  return check_result_tables(step, kTablesInput, step.dtype(0));
}

Status check_numbers(const Step& step, const QuantizedExciteAttributes& attributes) {
  const DType type = step.dtype(0), w_type = step.dtype(kGateWeightsInput);
  ARENITE_TRY(check_requantization(attributes.hidden, type));
  ARENITE_TRY(check_requantization(attributes.gate, type));
  ARENITE_TRY(check_requantization(attributes.product.output, type));
  const bool good = is_one_of(attributes.means_zero_point, type) &&
                    is_one_of(attributes.hidden_zero_point, type) &&
                    is_one_of(attributes.w_zero_points[0], w_type) &&
                    is_one_of(attributes.w_zero_points[1], w_type) &&
                    are_factors(type, attributes.product.zero_points) &&
                    is_multiplier(attributes.product.multiplier, attributes.product.shift);
  return good ? ok_status() : error(Code::kBadAttribute);
}

Status check_quantized_excite(const Step& step) {
  ARENITE_TRY(check_types(step));
  ARENITE_TRY(check_shapes(step));
  return check_numbers(step, step.attributes<QuantizedExciteAttributes>());
}

}  // namespace

constexpr Contract kQuantizedExciteContract = {
    .op = Op::kQuantizedExcite,
    .max_inputs = kExciteInputs,
    .min_inputs = kExciteInputs,
    .attribute_words = words_of<QuantizedExciteAttributes>(),
    .layout = {.kind = LayoutClass::kSpatial},
    .types = kQuantizedExciteTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .check = check_quantized_excite,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
