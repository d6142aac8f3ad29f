// The contract of squeeze_excite: each channel of x times a gate, made of the means of all
// channels.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 4;
constexpr uint32_t kWeights = 1, kBias = 2, kGateBias = 3;

Status check_squeeze_excite(const Step& step) {
  const Tensor x = step.input(0), w = step.input(kWeights);
  const auto attributes = step.attributes<SqueezeExciteAttributes>();
  if (x.rank() != 4) return input_error(step, Code::kBadShape, 0);
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_dense_enough(step, 0));
  if (w.rank() != 3 || w.dims[0] != 2 || w.dims[1] > kSqueezeRowsMax || w.dims[2] != x.dims[1]) {
    return input_error(step, Code::kBadShape, kWeights);
  }
  ARENITE_TRY(check_dense_enough(step, kWeights));
  ARENITE_TRY(check_vector(step, kBias, w.dims[1]));
  ARENITE_TRY(check_vector(step, kGateBias, x.dims[1]));
  ARENITE_TRY(check_activation(attributes.inner_activation));
  return check_activation(attributes.gate_activation);
}

}  // namespace

constexpr Contract kSqueezeExciteContract = {
    .op = Op::kSqueezeExcite,
    .max_inputs = kInputs,
    .min_inputs = kInputs,
    .attribute_words = words_of<SqueezeExciteAttributes>(),
    .layout = {.kind = LayoutClass::kSpatial},
    .types = kSqueezeExciteTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_squeeze_excite,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
