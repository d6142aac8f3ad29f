// A quantized convolution and what reads its result, as a model.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::test {

inline constexpr uint32_t kBlockChannels = 8;

// Integers of the whole range, as they come.
inline planner::TensorData integer_noise(DType type, std::vector<uint32_t> dims, uint32_t seed) {
  std::vector<int> elements;
  for (const float number : planner::floats_of(planner::random_tensor(dims, seed).bytes)) {
    elements.push_back(static_cast<int>(number * 127) + (type == DType::kUint8 ? 128 : 0));
  }
  return planner::integer_tensor(type, std::move(dims), elements);
}

// x [1, 8, 6, 5] through a convolution, and then what reads its result p; no zero point is 0.
struct QuantizedBlock : planner::ModelBuilder {
  explicit QuantizedBlock(DType type)
      : ModelBuilder(13), x(integer_noise(type, {1, kBlockChannels, 6, 5}, 7)) {
    input("x", {"1", "8", "6", "5"}, type);
    float scale = 0.02f;
    for (const char* name : {"x", "p", "y"}) {
      initializer(std::string(name) + ".s", planner::float_tensor({}, {scale}));
      initializer(std::string(name) + ".z",
                  planner::integer_tensor(type, {}, {type == DType::kUint8 ? 117 : -5}));
      scale *= 1.5f;
    }
    initializer("w", integer_noise(DType::kInt8, {kBlockChannels, kBlockChannels, 3, 3}, 1));
    initializer("w.s", planner::float_tensor({}, {0.003f}));
    initializer("w.z", planner::integer_tensor(DType::kInt8, {}, {0}));
    node("QLinearConv", {"x", "x.s", "x.z", "w", "w.s", "w.z", "p.s", "p.z"}, {"p"}, "conv");
    with_ints("pads", {1, 1, 1, 1});
    node("DequantizeLinear", {"x", "x.s", "x.z"}, {"x.f"}, "x_float");
    node("DequantizeLinear", {"p", "p.s", "p.z"}, {"p.f"}, "p_float");
  }
  QuantizedBlock& sum(const std::vector<std::string>& operands, const char* op = "Add") {
    node(op, operands, {"y.f"}, "sum");
    node("QuantizeLinear", {"y.f", "y.s", "y.z"}, {"y"}, "y_integers");
    output("y", x.dtype);
    return *this;
  }
  QuantizedBlock& sigmoid(const char* of) {
    node("Sigmoid", {of}, {"y.f"}, "sigmoid");
    node("QuantizeLinear", {"y.f", "y.s", "y.z"}, {"y"}, "y_integers");
    output("y", x.dtype);
    return *this;
  }
  planner::Graph graph() const {
    planner::Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }

  planner::TensorData x;
};

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
