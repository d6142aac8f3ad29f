// Builds models of one quantised operator, and runs them as they are planned.
#include "tests/planner/tflite/kernel_model.h"

#include <gtest/gtest.h>

#include <cstring>

#include "planner/interpret.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

size_t bytes_of(tfl::TensorType type) {
  switch (type) {
    case tfl::TensorType_INT64:
      return 8;
    case tfl::TensorType_INT32:
      return 4;
    case tfl::TensorType_INT16:
      return 2;
    default:
      return 1;
  }
}

// Integers are little-endian: the lower bytes of each.
std::vector<uint8_t> stored(const KernelOperand& operand) {
  const size_t size = bytes_of(operand.type);
  std::vector<uint8_t> bytes;
  for (const int64_t element : operand.elements) {
    for (size_t b = 0; b < size; ++b) {
      bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(element) >> (8 * b)));
    }
  }
  return bytes;
}

std::vector<int64_t> elements_of(tfl::TensorType type, const std::vector<std::byte>& bytes) {
  const size_t size = bytes_of(type);
  std::vector<int64_t> elements;
  for (size_t i = 0; i < bytes.size(); i += size) {
    int64_t element = std::to_integer<uint8_t>(bytes[i]);
    if (type == tfl::TensorType_INT8) element = static_cast<int8_t>(element);
    if (type == tfl::TensorType_INT16) {
      int16_t half = 0;
      std::memcpy(&half, bytes.data() + i, sizeof half);
      element = half;
    }
    elements.push_back(element);
  }
  return elements;
}

}  // namespace

void expect_kernel(const KernelModel& kernel) {
  TfliteBuilder model;
  std::vector<int32_t> inputs;
  std::vector<std::vector<std::byte>> given;
  for (const KernelOperand& operand : kernel.inputs) {
    const std::string name = "x" + std::to_string(inputs.size());
    const std::vector<uint8_t> bytes = stored(operand);
    if (operand.constant) {
      inputs.push_back(model.tensor(name, operand.dims, operand.type));
      model.set_bytes(inputs.back(), bytes);
    } else {
      inputs.push_back(model.input(name, operand.dims, operand.type));
      given.emplace_back(bytes.size());
      std::memcpy(given.back().data(), bytes.data(), bytes.size());
    }
    if (!operand.scales.scale.empty()) model.set_quantised(inputs.back(), operand.scales);
  }
  const int32_t y = model.tensor("y", kernel.result.dims, kernel.result.type);
  model.set_quantised(y, kernel.result.scales);
  if (kernel.options) {
    model.op(kernel.code, inputs, {y}, kernel.type, kernel.options);
  } else {
    model.op(kernel.code, inputs, {y});
  }
  model.output(y);
  Graph graph = std::move(import_model(model.bytes(), {})[0].graph);
  optimise(graph);
  EXPECT_EQ(graph.quantised_steps ? graph.quantised_steps->floats : 0u, 0u);
  EXPECT_EQ(elements_of(kernel.result.type, interpret(graph, given)[0]), kernel.result.elements);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
