// Imports Pad with a constant value; negative pads crop.
#include <cstring>
#include <limits>

#include "ops/attributes.h"
#include "planner/names.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {
namespace {

// Pads of every dimension, begins before ends: those of some axes are spread over all.
std::vector<int64_t> read_pads(OpContext& context, size_t rank) {
  if (context.opset() < 11) {
    const char* name = context.opset() < 2 ? "paddings" : "pads";
    const std::optional<std::vector<int64_t>> pads = context.ints_attribute(name);
    if (!pads) context.fail_attribute(name, "is missing");
    if (pads->size() != 2 * rank) {
      context.fail_attribute(name, "expected " + std::to_string(2 * rank) + " numbers, found " +
                                       std::to_string(pads->size()));
    }
    return *pads;
  }
  const std::vector<int64_t> pads = *context.constant_ints(1, "pads");
  const std::optional<std::vector<int64_t>> given = context.constant_ints(3, "axes");
  std::vector<uint32_t> axes;
  if (given) {
    axes = context.axes(*given, rank, "axes");
  } else {
    for (uint32_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  if (pads.size() != 2 * axes.size()) {
    context.fail("input 'pads' holds " + std::to_string(pads.size()) + " numbers, expected " +
                 std::to_string(2 * axes.size()));
  }
  std::vector<int64_t> all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    all[axes[i]] = pads[i];
    all[rank + axes[i]] = pads[axes.size() + i];
  }
  return all;
}

}  // namespace

void import_pad(OpContext& context) {
  const bool old = context.opset() < 11;
  context.expect_operands(old ? 1 : 2, old ? 1 : (context.opset() < 18 ? 3 : 4));
  const ValueId x = context.input(0);
  const DType type = context.dtype(x);
  const std::string mode = context.string_attribute("mode", "constant");
  if (mode != "constant") {
    context.unsupported_attribute("mode",
                                  "'" + printable(mode) + "' is not supported, only 'constant'");
  }
  std::vector<int64_t> dims = signed_dims(context.dims(x));
  const std::vector<int64_t> pads = read_pads(context, dims.size());
  PadAttributes attributes{};
  for (size_t i = 0; i < dims.size(); ++i) {
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    const int64_t begin = pads[i];
    const int64_t end = pads[dims.size() + i];
    if (begin < -kMax || begin > kMax || end < -kMax || end > kMax || dims[i] + begin + end < 0) {
      context.fail_attribute("pads", "of " + std::to_string(begin) + " and " + std::to_string(end) +
                                         " do not fit dimension " + std::to_string(i) + " of " +
                                         dims_text(context.dims(x)));
    }
    attributes.begin[i] = static_cast<int32_t>(begin);
    dims[i] += begin + end;
  }
  std::vector<ValueId> inputs = {x};
  if (old) {
    const float value = context.float_attribute("value", 0.0F);
    if (value != 0.0F && type != DType::kFloat32) {
      context.unsupported_attribute("value",
                                    "is only supported for float32, found " + dtype_name(type));
    }
    std::memcpy(attributes.value_bits, &value, sizeof(value));
  } else if (context.has_input(2)) {
    const ValueId value = context.input(2);
    if (context.dtype(value) != type || context.value(value).elements() != 1) {
      context.fail("input 'constant_value' is " + dtype_name(context.dtype(value)) + " " +
                   dims_text(context.dims(value)) + ", expected one " + dtype_name(type));
    }
    if (context.is_constant(value)) {
      const auto& bytes = *context.value(value).constant;
      std::memcpy(attributes.value_bits, bytes.data(), bytes.size());
    } else {
      inputs.push_back(reshaped(context, value, {}, "value"));
    }
  }
  const ValueId y = context.add_output(0, type, dims);
  context.add_node(Op::kPad, inputs, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
