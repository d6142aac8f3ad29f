// Looks at each depthwise convolution and the node that makes its input.
#include "planner/passes/integers/joined_depthwise.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/dispatch/depthwise_tile.h"
#include "kernels/dispatch/dispatch.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/joined_integers.h"
#include "planner/passes/integers/result_tables.h"

namespace arenite::planner {
namespace {

using Sizes = std::vector<uint32_t>;

Sizes sizes_of(const Graph& graph, ValueId id) { return bounds(graph.values[id].dims); }

// The attributes of both kinds of convolutions begin with these.
struct Windows {
  uint32_t groups;
  uint32_t stride[2], dilation[2], pad_begin[2];
};
static_assert(offsetof(ConvAttributes, pad_begin) == offsetof(Windows, pad_begin) &&
              offsetof(QuantizedConvAttributes, pad_begin) == offsetof(Windows, pad_begin));

Windows windows_of(const Node& node) {
  Windows windows;
  if (node.attributes.size() * 4 < sizeof(windows)) throw std::logic_error("attribute size");
  std::memcpy(&windows, node.attributes.data(), sizeof(windows));
  return windows;
}

// A convolution of floats with constant weights and biases that adds no residual.
bool is_plain_float_conv(const Graph& graph, const Node& node) {
  return node.op == Op::kConv && node.inputs.size() == 3 && node.has_input(2) &&
         graph.values[node.inputs[1]].constant != nullptr &&
         graph.values[node.inputs[2]].constant != nullptr;
}

// Such a convolution of images, or one of integers.
bool is_plain_conv(const Graph& graph, const Node& node) {
  if (!is_plain_float_conv(graph, node) && !is_plain_quantized_conv(graph, node)) return false;
  const Value& x = graph.values[node.inputs[0]];
  return x.dims.size() == 4 && !has_count(x.dims) && x.constant == nullptr;
}

bool is_pointwise(const Graph& graph, const Node& node) {
  const Windows a = windows_of(node);
  const Sizes w = sizes_of(graph, node.inputs[1]);
  const Sizes x = sizes_of(graph, node.inputs[0]), y = sizes_of(graph, node.outputs[0]);
  return a.groups == 1 && w[2] == 1 && w[3] == 1 && a.stride[0] == 1 && a.stride[1] == 1 &&
         a.pad_begin[0] == 0 && a.pad_begin[1] == 0 && x[2] == y[2] && x[3] == y[3];
}

bool is_depthwise(const Graph& graph, const Node& node) {
  const Sizes w = sizes_of(graph, node.inputs[1]);
  return w[1] == 1 && windows_of(node).groups == w[0] && sizes_of(graph, node.inputs[0])[1] == w[0];
}

// Whether a uniform buffer holds the biases of the channels, or all ends of integers.
bool fits_uniform(const Node& conv, uint32_t channels) {
  const uint64_t each = conv.op == Op::kQuantizedConv ? 3 * sizeof(int32_t) : sizeof(float);
  return channels * each + kBufferAlignment <= kMaxUniformBytes;
}

DepthwiseImage image_of(const Graph& graph, const Node& pointwise, const Node& depthwise) {
  const Windows a = windows_of(depthwise);
  const Sizes x = sizes_of(graph, pointwise.inputs[0]), w = sizes_of(graph, depthwise.inputs[1]);
  const Sizes y = sizes_of(graph, depthwise.outputs[0]);
  DepthwiseImage image = {.images = y[0] * ((uint64_t{y[1]} + 3) / 4), .channels = x[1]};
  for (size_t axis = 0; axis < 2; ++axis) {
    image.size[axis] = x[2 + axis];
    image.out_size[axis] = y[2 + axis];
    image.kernel[axis] = w[2 + axis];
    image.stride[axis] = a.stride[axis];
    image.dilation[axis] = a.dilation[axis];
    image.pad[axis] = a.pad_begin[axis];
  }
  return depthwise.op == Op::kQuantizedConv ? of_bytes(image) : image;
}

bool gains(const DepthwiseImage& image, bool may_be_slower) {
  const uint64_t taps = uint64_t{image.kernel[0]} * image.kernel[1];
  return taps != 0 && taps <= kTapsMax && image.images != 0 && image.channels != 0 &&
         image.out_size[0] != 0 && image.out_size[1] != 0 && pays_in_one_dispatch(image) &&
         (may_be_slower || is_faster_in_one_dispatch(image));
}

// Weights [O, 1, KH, KW] as taps [KH, KW, O].
ValueId add_taps(Graph& graph, Uses& uses, ValueId weights) {
  const Value& from = graph.values[weights];
  const std::vector<float> w = float_elements(from);
  const Sizes sizes = bounds(from.dims);
  const size_t outputs = sizes[0], taps = size_t{sizes[2]} * sizes[3];
  std::vector<float> moved(w.size());
  for (size_t o = 0; o < outputs; ++o) {
    for (size_t t = 0; t < taps; ++t) moved[t * outputs + o] = w[o * taps + t];
  }
  return add_constant(graph, uses, from.name, {sizes[2], sizes[3], sizes[0]}, moved);
}

Node joined_floats(Graph& graph, Uses& uses, const Node& pointwise, const Node& depthwise) {
  const auto a = depthwise.attributes_as<ConvAttributes>();
  PointwiseDepthwiseAttributes attributes = {};
  std::ranges::copy(a.stride, attributes.stride);
  std::ranges::copy(a.dilation, attributes.dilation);
  std::ranges::copy(a.pad_begin, attributes.pad_begin);
  attributes.activation = a.activation;
  attributes.inner_activation = pointwise.attributes_as<ConvAttributes>().activation;
  Node node;
  node.op = Op::kPointwiseDepthwise;
  node.inputs = pointwise.inputs;
  node.inputs.push_back(add_taps(graph, uses, depthwise.inputs[1]));
  node.inputs.push_back(depthwise.inputs[2]);
  node.set_attributes(attributes);
  return node;
}

// Two convolutions, and the lookups of what integer ones make: kNoNode where there is none.
struct Pair {
  uint32_t pointwise, depthwise;
  uint32_t inner_lookup = kNoNode, lookup = kNoNode;

  bool has_tables() const { return inner_lookup != kNoNode || lookup != kNoNode; }
};

// The pair that ends in the convolution of a node; `readers`: the last reader of each value.
std::optional<Pair> find_pair(Graph& graph, const Uses& uses, const std::vector<uint32_t>& readers,
                              uint32_t n) {
  const Node& depthwise = graph.nodes[n];
  if (!is_plain_conv(graph, depthwise) || !is_depthwise(graph, depthwise)) return std::nullopt;
  Pair pair = {uses.producer[depthwise.inputs[0]], n};
  const Node* maker = sole_producer(graph, uses, depthwise.inputs[0]);
  if (maker != nullptr && is_lookup_of_bytes(graph, *maker)) {
    pair.inner_lookup = pair.pointwise;
    pair.pointwise = uses.producer[maker->inputs[0]];
    maker = sole_producer(graph, uses, maker->inputs[0]);
  }
  if (maker == nullptr || maker->op != depthwise.op || !is_plain_conv(graph, *maker) ||
      !is_pointwise(graph, *maker)) {
    return std::nullopt;
  }
  // Tables have one type.
  const ValueId y = depthwise.outputs[0];
  const bool one_type = graph.values[maker->outputs[0]].dtype == graph.values[y].dtype;
  if (pair.inner_lookup != kNoNode && !one_type) return std::nullopt;
  const uint32_t reader = uses.read_count[y] == 1 ? readers[y] : kNoNode;
  if (reader != kNoNode && one_type && is_lookup_of_bytes(graph, graph.nodes[reader])) {
    pair.lookup = reader;
  }
  return pair;
}

Node joined(Graph& graph, Uses& uses, const Pair& pair) {
  const Node pointwise = graph.nodes[pair.pointwise], depthwise = graph.nodes[pair.depthwise];
  Node node = depthwise.op == Op::kQuantizedConv ? joined_integers(graph, pointwise, depthwise)
                                                 : joined_floats(graph, uses, pointwise, depthwise);
  if (pair.has_tables()) {
    const Value like = graph.values[depthwise.outputs[0]];
    node.inputs.push_back(
        add_result_tables(graph, like.name, like.dtype, {pair.inner_lookup, pair.lookup}));
  }
  node.outputs = depthwise.outputs;
  node.sources = pointwise.sources;
  if (pair.inner_lookup != kNoNode) append_sources(node, graph.nodes[pair.inner_lookup]);
  append_sources(node, depthwise);
  if (pair.lookup != kNoNode) {
    node.outputs = graph.nodes[pair.lookup].outputs;
    append_sources(node, graph.nodes[pair.lookup]);
  }
  // The new constants have no producer, and one reader.
  uses.producer.resize(graph.values.size(), kNoNode);
  uses.read_count.resize(graph.values.size(), 1);
  return node;
}

}  // namespace

std::optional<Graph> with_joined_depthwise(const Graph& graph, bool few_bytes) {
  Graph result = graph;
  Uses uses = find_uses(result);
  std::vector<uint32_t> readers(result.values.size(), kNoNode);
  for (uint32_t n = 0; n < result.nodes.size(); ++n) {
    for (const ValueId id : result.nodes[n].inputs) {
      if (id != kNoValue) readers[id] = n;
    }
  }
  bool found = false;
  for (uint32_t n = 0; n < result.nodes.size(); ++n) {
    const std::optional<Pair> pair = find_pair(result, uses, readers, n);
    if (!pair) continue;
    const Node& depthwise = result.nodes[n];
    if (!fits_uniform(depthwise, sizes_of(result, depthwise.inputs[1])[0]) ||
        !gains(image_of(result, result.nodes[pair->pointwise], depthwise),
               few_bytes || depthwise.op == Op::kQuantizedConv)) {
      continue;
    }
    for (const uint32_t part : {pair->pointwise, pair->inner_lookup, pair->lookup}) {
      if (part != kNoNode) uses.removed[part] = true;
    }
    result.nodes[n] = joined(result, uses, *pair);
    found = true;
  }
  if (!found) return std::nullopt;
  remove_nodes(result, uses);
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
