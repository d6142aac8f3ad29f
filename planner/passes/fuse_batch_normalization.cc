// Folds what happens to each channel after a convolution, or to each column after a matrix product,
// into its weights and bias.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/contract.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// y = x * factor + term, a channel each.
struct PerChannel {
  std::vector<double> factor, term;
};

bool is_float_constant(const Graph& graph, ValueId id) {
  return graph.values[id].constant != nullptr && graph.values[id].dtype == DType::kFloat32;
}

bool is_weights(const Graph& graph, ValueId id) {
  return graph.values[id].constant != nullptr && has(types::kFloat, graph.values[id].dtype);
}

std::optional<PerChannel> from_batch_normalization(const Graph& graph, const Node& node) {
  const auto attributes = node.attributes_as<BatchNormalizationAttributes>();
  if (attributes.training != 0) return std::nullopt;
  for (size_t i = 1; i < 5; ++i) {
    if (!is_float_constant(graph, node.inputs[i])) return std::nullopt;
  }
  const auto elements = [&](size_t i) { return float_elements(graph.values[node.inputs[i]]); };
  const std::vector<float> scale = elements(1);
  const std::vector<float> bias = elements(2);
  const std::vector<float> mean = elements(3);
  const std::vector<float> variance = elements(4);
  PerChannel result;
  for (size_t c = 0; c < scale.size(); ++c) {
    const double factor =
        double{scale[c]} / std::sqrt(double{variance[c]} + double{attributes.epsilon});
    result.factor.push_back(factor);
    result.term.push_back(double{bias[c]} - double{mean[c]} * factor);
  }
  return result;
}

// The axis of x that holds a convolution's outputs, or a product's columns.
size_t channel_axis(const Graph& graph, const Node& into, ValueId x) {
  return into.op == Op::kMatMul ? graph.values[x].dims.size() - 1 : 1;
}

// A mul or add whose other operand is one constant for each index of `axis`, or one for all.
std::optional<PerChannel> from_binary(const Graph& graph, const Node& node, ValueId x,
                                      size_t axis) {
  if (node.attributes_as<BinaryAttributes>().activation.kind != ActivationKind::kNone) {
    return std::nullopt;
  }
  const ValueId other = node.inputs[0] == x ? node.inputs[1] : node.inputs[0];
  if (!is_float_constant(graph, other)) return std::nullopt;
  const Dims& dims = graph.values[x].dims;
  const Value& constant = graph.values[other];
  if (!always(graph.values[node.outputs[0]].dims == dims)) return std::nullopt;
  const size_t missing = dims.size() - constant.dims.size();
  for (size_t i = 0; i < constant.dims.size(); ++i) {
    if (missing + i != axis && !always(constant.dims[i] == 1)) return std::nullopt;
  }
  const std::vector<float> elements = float_elements(constant);
  PerChannel result;
  const int64_t channels = baked(dims[axis], "a factor for each channel");
  for (int64_t c = 0; c < channels; ++c) {
    const double element = elements[elements.size() == 1 ? 0 : static_cast<size_t>(c)];
    result.factor.push_back(node.op == Op::kMul ? element : 1.0);
    result.term.push_back(node.op == Op::kMul ? 0.0 : element);
  }
  return result;
}

bool is_conv(const Graph& graph, const Node& conv) {
  const auto ask = facts_of(conv.op).weights;
  const Weights weights = ask == nullptr ? Weights::kNone : ask(conv);
  if (weights != Weights::kFilters && weights != Weights::kGroupedFilters) return false;
  const bool has_bias = conv.has_input(2);
  const auto none = static_cast<uint32_t>(ActivationKind::kNone);
  return is_weights(graph, conv.inputs[1]) &&
         (!has_bias || is_float_constant(graph, conv.inputs[2])) &&
         conv.attributes[contract_of(conv.op).activation_word] == none;
}

void fold(Graph& graph, Uses& uses, Node& conv, const PerChannel& change) {
  const Value& weights = graph.values[conv.inputs[1]];
  const std::string weights_name = weights.name;
  const Dims weights_dims = weights.dims;
  const auto channels = static_cast<size_t>(baked(weights_dims[0], "a constant's elements"));
  std::vector<float> folded = float_elements(weights);
  const size_t each = folded.size() / channels;
  const bool scales = std::any_of(change.factor.begin(), change.factor.end(),
                                  [](double factor) { return factor != 1.0; });
  for (size_t i = 0; i < folded.size(); ++i) {
    folded[i] = static_cast<float>(double{folded[i]} * change.factor[i / each]);
  }
  std::vector<float> bias(channels, 0.0f);
  const bool has_bias = conv.has_input(2);
  if (has_bias) bias = float_elements(graph.values[conv.inputs[2]]);
  const std::string bias_name =
      has_bias ? graph.values[conv.inputs[2]].name : weights_name + ".bias";
  for (size_t c = 0; c < channels; ++c) {
    bias[c] = static_cast<float>(double{bias[c]} * change.factor[c] + change.term[c]);
  }
  conv.inputs.resize(3);
  // Weights that a term leaves as they are stay the same constant, of the same type.
  if (scales) conv.inputs[1] = add_constant(graph, uses, weights_name, weights_dims, folded);
  conv.inputs[2] = add_constant(graph, uses, bias_name, {channels}, bias);
}

// A product by a constant matrix that nothing else reads, with a constant for each column, if any.
bool is_product(const Graph& graph, const Uses& uses, const Node& product) {
  if (product.op != Op::kMatMul || !is_float_constant(graph, product.inputs[1]) ||
      graph.values[product.inputs[1]].dims.size() != 2 || uses.read_count[product.inputs[1]] != 1 ||
      product.attributes_as<MatMulAttributes>().activation.kind != ActivationKind::kNone) {
    return false;
  }
  if (product.inputs.size() < 3) return true;
  const Value& c = graph.values[product.inputs[2]];
  const Dim columns = graph.values[product.inputs[1]].dims[1];
  return is_float_constant(graph, product.inputs[2]) &&
         (c.elements() == 1 ||
          (always(planner::product(c.dims) == columns) && always(c.dims.back() == columns)));
}

bool can_fold_into(const Graph& graph, const Uses& uses, const Node& node) {
  return is_conv(graph, node) || is_product(graph, uses, node);
}

void fold_product(Graph& graph, Uses& uses, Node& product, const PerChannel& change) {
  auto attributes = product.attributes_as<MatMulAttributes>();
  const std::string name = graph.values[product.inputs[1]].name;
  const Dims dims = graph.values[product.inputs[1]].dims;
  std::vector<float> weights = float_elements(graph.values[product.inputs[1]]);
  const auto columns = static_cast<size_t>(baked(dims[1], "a constant's elements"));
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(double{weights[i]} * change.factor[i % columns]);
  }
  std::vector<float> c(columns, 0.0f);
  if (product.inputs.size() > 2) {
    const std::vector<float> given = float_elements(graph.values[product.inputs[2]]);
    for (size_t i = 0; i < columns; ++i) {
      c[i] = attributes.beta * given[given.size() == 1 ? 0 : i];
    }
  }
  for (size_t i = 0; i < columns; ++i) {
    c[i] = static_cast<float>(double{c[i]} * change.factor[i] + change.term[i]);
  }
  attributes.beta = 1.0f;
  product.set_attributes(attributes);
  product.inputs.resize(3);
  product.inputs[1] = add_constant(graph, uses, name, dims, weights);
  product.inputs[2] = add_constant(graph, uses, name + ".bias", {dims[1]}, c);
}

// Whether anything is multiplied: a term alone is the product's third operand anyway, which
// fuse_matmul_bias sees to.
bool multiplies(const PerChannel& change) {
  return std::any_of(change.factor.begin(), change.factor.end(), [](double f) { return f != 1; });
}

}  // namespace

void fuse_batch_normalization(Graph& graph) {
  Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    const bool normalizes = node.op == Op::kBatchNormalization;
    if (!normalizes && node.op != Op::kMul && node.op != Op::kAdd) continue;
    for (size_t i = 0; i < (normalizes ? 1u : 2u); ++i) {
      const ValueId x = node.inputs[i];
      Node* conv = sole_producer(graph, uses, x);
      if (conv == nullptr || !can_fold_into(graph, uses, *conv)) continue;
      const size_t axis = channel_axis(graph, *conv, x);
      if (normalizes && axis != 1) continue;
      const std::optional<PerChannel> change =
          normalizes ? from_batch_normalization(graph, node) : from_binary(graph, node, x, axis);
      if (!change) continue;
      if (conv->op == Op::kMatMul) {
        if (!multiplies(*change) && conv->inputs.size() < 3) continue;
        fold_product(graph, uses, *conv, *change);
      } else {
        fold(graph, uses, *conv, *change);
      }
      merge_into(graph, uses, *conv, node);
      break;
    }
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
