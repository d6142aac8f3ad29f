// The contract of dynamic_quantize: floats to integers by scales that the data gives.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// The dims of x, 1 along the axes.
bool has_reduced_dims(const OutTensor& out, const Tensor& x, uint32_t axes) {
  bool same = out.rank() == x.rank();
  for (uint32_t d = 0; same && d < x.rank(); ++d) {
    same = out.dims[d] == ((axes >> d & 1u) != 0 ? 1 : x.dims[d]);
  }
  return same;
}

Status check_dynamic_quantize(const Step& step) {
  const Tensor x = step.input(0);
  if (x.dtype() != DType::kFloat32) return input_error(step, Code::kBadType, 0);
  ARENITE_TRY(check_map(step));
  const auto attributes = step.attributes<DynamicQuantizeAttributes>();
  if (attributes.axes >> x.rank() != 0 || attributes.range > DynamicRange::kTfliteAsymmetric) {
    return error(Code::kBadAttribute);
  }
  const DType type = step.output(0).dtype();
  // TensorFlow Lite knows int8 alone.
  if (attributes.range != DynamicRange::kOnnx && type != DType::kInt8) {
    return output_error(step, Code::kBadType);
  }
  const DType types[] = {type, DType::kFloat32, type};
  for (uint32_t i = 1; i < step.output_count(); ++i) {
    if (step.output(i).dtype() != types[i]) return output_error(step, Code::kBadType, i);
    if (!has_reduced_dims(step.output(i), x, attributes.axes)) {
      return output_error(step, Code::kBadShape, i);
    }
  }
  return ok_status();
}

}  // namespace

constexpr Contract kDynamicQuantizeContract = {
    .op = Op::kDynamicQuantize,
    .max_outputs = 3,
    .attribute_words = words_of<DynamicQuantizeAttributes>(),
    .types = kDynamicQuantizeTypes,
    .inputs = {OperandType::kAny, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kT, OperandType::kAny},
    .check = check_dynamic_quantize,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
