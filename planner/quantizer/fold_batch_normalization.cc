// Folds batch normalization into the weights and bias of the Conv before it.
#include "planner/quantizer/fold_batch_normalization.h"

#include <cmath>

#include "planner/graph/rewrite.h"

namespace arenite::planner::quantizer {
namespace {

// The Conv whose result node `n` normalizes alone, by what is known; kNobody where there is none.
int folds_into(const ModelEditor& model, int n) {
  const onnx::NodeProto& node = model.node(n);
  const bool normalizes = node.op_type() == "BatchNormalization" && node.domain().empty() &&
                          node.input_size() == 5 && node.output_size() == 1 &&
                          model.int_attribute(node, "training_mode", 0) == 0;
  if (!normalizes) return kNobody;
  const int conv = model.producer(node.input(0));
  if (conv == kNobody || model.node(conv).op_type() != "Conv" ||
      model.sole_reader(node.input(0)) != n || model.node(conv).input_size() < 2) {
    return kNobody;
  }
  for (int i = 1; i < 5; ++i) {
    if (!model.is_float(node.input(i)) || !model.is_constant(node.input(i))) return kNobody;
  }
  for (int i = 1; i < model.node(conv).input_size(); ++i) {
    const std::string& operand = model.node(conv).input(i);
    if (!operand.empty() && (!model.is_float(operand) || !model.is_constant(operand))) {
      return kNobody;
    }
  }
  return conv;
}

void fold(ModelEditor& model, int n, int conv) {
  const onnx::NodeProto& node = model.node(n);
  const auto elements = [&](const std::string& tensor) {
    return float_elements(*model.value(tensor));
  };
  const std::vector<float> scale = elements(node.input(1)), bias = elements(node.input(2));
  const std::vector<float> mean = elements(node.input(3)), variance = elements(node.input(4));
  const auto epsilon = double{model.float_attribute(node, "epsilon", 1e-5f)};
  const std::string weights_name = model.node(conv).input(1);
  const std::vector<uint32_t> dims = bounds(model.value(weights_name)->dims);
  std::vector<float> weights = elements(weights_name);
  const bool has_bias = model.node(conv).input_size() > 2 && !model.node(conv).input(2).empty();
  std::vector<float> sums =
      has_bias ? elements(model.node(conv).input(2)) : std::vector<float>(scale.size(), 0.0f);
  const size_t each = scale.empty() ? 0 : weights.size() / scale.size();
  for (size_t c = 0; c < scale.size(); ++c) {
    const double factor = double{scale[c]} / std::sqrt(double{variance[c]} + epsilon);
    for (size_t i = c * each; i < (c + 1) * each; ++i) {
      weights[i] = static_cast<float>(double{weights[i]} * factor);
    }
    const double moved = (double{sums[c]} - double{mean[c]}) * factor + double{bias[c]};
    sums[c] = static_cast<float>(moved);
  }
  model.node(conv).set_input(1, model.add_floats(weights_name + "_folded", dims, weights));
  const std::string added =
      model.add_floats(weights_name + "_bias", {static_cast<uint32_t>(sums.size())}, sums);
  if (model.node(conv).input_size() < 3) model.node(conv).add_input("");
  model.node(conv).set_input(2, added);
  model.merge(n, conv);
}

}  // namespace

bool fold_batch_normalization(ModelEditor& model) {
  bool any = false;
  for (int n = 0; n < model.node_count(); ++n) {
    const int conv = folds_into(model, n);
    if (conv == kNobody) continue;
    fold(model, n, conv);
    any = true;
  }
  return any;
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
