// Imports Pad in every mode; negative pads crop.
#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Before opset 11 pads are attributes; com.microsoft's are inputs in any.
bool lists_pads(const OpContext& context) {
  return context.node().domain.empty() && context.opset() < 11;
}

// Pads of every dimension, begins before ends: those of some axes are spread over all.
std::vector<int64_t> read_pads(OpContext& context, size_t rank) {
  if (lists_pads(context)) {
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

PadMode read_mode(OpContext& context) {
  const std::string mode = context.string_attribute("mode", "constant");
  if (mode == "constant") return PadMode::kValue;
  if (mode == "edge") return PadMode::kEdge;
  if (mode == "reflect") return PadMode::kReflect;
  if (mode == "wrap" && context.opset() >= 19) return PadMode::kWrap;
  context.fail_attribute(
      "mode", "is " + quote(mode) + ", expected constant, edge, reflect or, from opset 19, wrap");
}

void check_pads(OpContext& context, const Dims& dims, const std::vector<int64_t>& pads) {
  for (size_t i = 0; i < dims.size(); ++i) {
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    const int64_t begin = pads[i];
    const int64_t end = pads[dims.size() + i];
    if (begin < -kMax || begin > kMax || end < -kMax || end > kMax || dims[i] + begin + end < 0) {
      context.fail_attribute("pads", "of " + std::to_string(begin) + " and " + std::to_string(end) +
                                         " do not fit dimension " + std::to_string(i) + " of " +
                                         dims_text(dims));
    }
  }
}

// The input without what negative pads crop, which become 0: nothing of it is repeated outside.
ValueId cropped(OpContext& context, ValueId x, std::vector<int64_t>& pads) {
  if (std::all_of(pads.begin(), pads.end(), [](int64_t pad) { return pad >= 0; })) return x;
  Dims dims = context.dims(x);
  SliceAttributes attributes{};
  std::fill(std::begin(attributes.step), std::end(attributes.step), 1);
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t& begin = pads[i];
    int64_t& end = pads[dims.size() + i];
    attributes.start[i] = static_cast<int32_t>(std::max<int64_t>(-begin, 0));
    dims[i] += std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0);
    if (dims[i] <= 0) {
      context.fail_attribute("pads", "of " + std::to_string(begin) + " and " + std::to_string(end) +
                                         " leave nothing of dimension " + std::to_string(i) +
                                         " of " + dims_text(context.dims(x)) + " to repeat");
    }
    begin = std::max<int64_t>(begin, 0);
    end = std::max<int64_t>(end, 0);
  }
  const ValueId y = context.add_between("cropped", context.dtype(x), dims);
  context.add_node(Op::kSlice, {x}, {y}, attributes);
  return y;
}

}  // namespace

void import_pad(OpContext& context) {
  const bool old = lists_pads(context);
  context.expect_operands(old ? 1 : 2, old ? 1 : (context.opset() < 18 ? 3 : 4));
  ValueId x = context.input(0);
  const DType type = context.dtype(x);
  PadAttributes attributes{};
  attributes.mode = read_mode(context);
  std::vector<int64_t> pads = read_pads(context, context.dims(x).size());
  check_pads(context, context.dims(x), pads);
  if (attributes.mode != PadMode::kValue) x = cropped(context, x, pads);
  Dims dims = context.dims(x);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t end = pads[dims.size() + i];
    if (attributes.mode != PadMode::kValue && dims[i] == 0 && (pads[i] != 0 || end != 0)) {
      context.fail("dimension " + std::to_string(i) + " of " + dims_text(dims) +
                   " has nothing to repeat");
    }
    attributes.begin[i] = static_cast<int32_t>(pads[i]);
    dims[i] += pads[i] + end;
  }
  std::vector<ValueId> inputs = {x};
  if (old) {
    const float value = context.float_attribute("value", 0.0f);
    if (value != 0.0f && type != DType::kFloat32) {
      context.unsupported_attribute("value",
                                    "is only supported for float32, found " + dtype_name(type),
                                    "the model converted to opset 11 or later");
    }
    std::memcpy(attributes.value_bits, &value, sizeof(value));
  } else if (context.has_input(2) && attributes.mode == PadMode::kValue) {
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
