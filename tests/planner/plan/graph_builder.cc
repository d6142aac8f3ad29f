// Adds values and nodes with ids in order of calls; constants come from a seed.
#include "tests/planner/plan/graph_builder.h"

#include <cmath>
#include <cstring>
#include <random>

#include "planner/graph/names.h"
#include "planner/graph/strides.h"

namespace arenite::test {

std::vector<std::byte> random_weights(size_t count, int low, int high) {
  std::mt19937 random(3);
  std::vector<std::byte> bytes;
  const auto range = static_cast<uint32_t>(high - low + 1);
  for (size_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<std::byte>(low + static_cast<int>(random() % range)));
  }
  return bytes;
}
namespace {

std::vector<std::byte> numbers(uint64_t count, uint32_t seed) {
  std::vector<float> values(count);
  uint32_t state = seed * 2654435761u + 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (static_cast<float>(state >> 20) - 2048.0f) / 1024.0f;
  }
  std::vector<std::byte> bytes(count * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

ValueId GraphBuilder::value(const Dims& dims, DType dtype) {
  planner::Value value;
  value.name = "v" + std::to_string(graph_.values.size());
  value.dtype = dtype;
  value.dims = dims;
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size() - 1);
}

ValueId GraphBuilder::input(const Dims& dims, DType dtype) {
  const ValueId v = value(dims, dtype);
  graph_.inputs.push_back(v);
  return v;
}

ValueId GraphBuilder::constant(const Dims& dims, uint32_t seed) {
  const ValueId v = value(dims);
  graph_.values[v].constant =
      std::make_shared<const std::vector<std::byte>>(numbers(graph_.values[v].elements(), seed));
  return v;
}

ValueId GraphBuilder::constant_bytes(const Dims& dims, DType dtype, std::vector<std::byte> bytes) {
  const ValueId v = value(dims, dtype);
  graph_.values[v].constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return v;
}

ValueId GraphBuilder::constant_int64(const std::vector<int64_t>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(int64_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return constant_bytes({static_cast<uint32_t>(values.size())}, DType::kInt64, std::move(bytes));
}

ValueId GraphBuilder::node(Op op, std::vector<ValueId> inputs, const Dims& dims) {
  const ValueId result = value(dims, graph_.values[inputs[0]].dtype);
  Node node;
  node.op = op;
  node.inputs = std::move(inputs);
  node.outputs = {result};
  node.sources = {planner::op_name(op) + "_" + std::to_string(graph_.nodes.size())};
  graph_.nodes.push_back(std::move(node));
  return result;
}

ValueId GraphBuilder::conv(ValueId x, uint32_t outputs, uint32_t kernel, uint32_t pad,
                           uint32_t groups) {
  const Dims from = dims(x);
  const ValueId w = constant({outputs, from[1] / groups, kernel, kernel}, outputs + kernel);
  const ValueId bias = constant({outputs}, outputs);
  ConvAttributes attributes{};
  attributes.groups = groups;
  for (const uint32_t d : {0u, 1u}) {
    attributes.stride[d] = attributes.dilation[d] = 1;
    attributes.pad_begin[d] = pad;
  }
  const uint32_t less = kernel - 1 - 2 * pad;
  return node(Op::kConv, {x, w, bias}, {from[0], outputs, from[2] - less, from[3] - less},
              attributes);
}

ValueId GraphBuilder::quantized_conv(ValueId x, uint32_t outputs, uint32_t kernel,
                                     uint32_t groups) {
  const Dims from = dims(x);
  const Dims w = {outputs, from[1] / groups, kernel, kernel};
  const auto filled = [&](const Dims& dims, DType dtype, uint8_t highest_byte) {
    std::vector<std::byte> bytes(planner::element_count(dims) * element_bytes(dtype));
    const size_t step = element_bytes(dtype);
    for (size_t i = step; i <= bytes.size(); i += step) bytes[i - 1] = std::byte{highest_byte};
    return constant_bytes(dims, dtype, std::move(bytes));
  };
  QuantizedConvAttributes attributes{};
  attributes.groups = groups;
  for (const uint32_t d : {0u, 1u}) attributes.stride[d] = attributes.dilation[d] = 1;
  attributes.output = {Rounding::kTfliteDouble, 0, -128, 127};
  const uint32_t less = kernel - 1;
  return node(Op::kQuantizedConv,
              {x, filled(w, DType::kInt8, 0), filled({outputs}, DType::kInt32, 0),
               filled({outputs}, DType::kInt32, 0x40), filled({outputs}, DType::kInt8, 0)},
              {from[0], outputs, from[2] - less, from[3] - less}, attributes);
}

ValueId GraphBuilder::max_pool(ValueId x, uint32_t kernel) {
  const Dims from = dims(x);
  PoolAttributes attributes{};
  for (const uint32_t d : {0u, 1u, 2u}) {
    attributes.kernel[d] = attributes.stride[d] = d == 0 ? 1 : kernel;
    attributes.dilation[d] = 1;
  }
  return node(Op::kMaxPool, {x}, {from[0], from[1], from[2] / kernel, from[3] / kernel},
              attributes);
}

ValueId GraphBuilder::add(ValueId a, ValueId b) {
  return node(Op::kAdd, {a, b}, dims(a), BinaryAttributes{});
}

ValueId GraphBuilder::clip(ValueId x, float min, float max) {
  return node(Op::kClip, {x}, dims(x), ClipAttributes{min, max});
}

ValueId GraphBuilder::reshape(ValueId x, const Dims& to) { return node(Op::kReshape, {x}, to); }

ValueId GraphBuilder::transpose(ValueId x, std::vector<uint32_t> permutation) {
  Dims to;
  for (const uint32_t d : permutation) to.push_back(dims(x)[d]);
  const ValueId result = node(Op::kTranspose, {x}, to);
  graph_.nodes.back().attributes = std::move(permutation);
  return result;
}

ValueId GraphBuilder::slice(ValueId x, const std::vector<int32_t>& start,
                            const std::vector<int32_t>& step, const Dims& to) {
  SliceAttributes attributes{};
  for (size_t d = 0; d < 8; ++d) attributes.step[d] = 1;
  for (size_t d = 0; d < start.size(); ++d) {
    attributes.start[d] = start[d];
    attributes.step[d] = step[d];
  }
  return node(Op::kSlice, {x}, to, attributes);
}

ValueId GraphBuilder::matmul(ValueId a, ValueId b, const Dims& to) {
  return node(Op::kMatMul, {a, b}, to, MatMulAttributes{1, 1, {}});
}

ValueId GraphBuilder::concat(const std::vector<ValueId>& inputs, uint32_t axis) {
  Dims to = dims(inputs[0]);
  for (size_t i = 1; i < inputs.size(); ++i) to[axis] += dims(inputs[i])[axis];
  return node(Op::kConcat, inputs, to, ConcatAttributes{axis});
}

std::vector<std::vector<std::byte>> test_inputs(const Graph& graph, uint32_t seed) {
  std::vector<std::vector<std::byte>> inputs;
  for (const ValueId v : graph.inputs) {
    const planner::Value& value = graph.values[v];
    inputs.push_back(numbers((value.dense_bytes() + 3) / 4, seed++));
    inputs.back().resize(value.dense_bytes());
  }
  return inputs;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
