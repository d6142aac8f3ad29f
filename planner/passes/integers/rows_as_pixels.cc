// Compares the work of products with that of convolutions, then rewrites each product.
#include "planner/passes/integers/rows_as_pixels.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ops/quantized.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner {
namespace {

// Products and convolutions of the same numbers.
struct Family {
  Op product, convolution;
  TypeSet types;  // of both operands
  // Products are at most this part of the work of convolutions. A form of integers for many pixels
  // computes one of them in up to three times the instructions of a form for rows; floats have one
  // kernel for both.
  uint64_t part;
};
constexpr Family kFamilies[] = {{Op::kQuantizedMatMul, Op::kQuantizedConv, types::kByte, 128},
                                {Op::kMatMul, Op::kConv, types::kFloat32, 32}};

bool is_quantized(const Family& family) { return family.product == Op::kQuantizedMatMul; }

// What decides, beside shapes, which form computes a product.
struct Kind {
  DType x, w, y;
  Rounding rounding;
  bool operator==(const Kind&) const = default;
};

class Rewrite {
 public:
  explicit Rewrite(const Graph& graph) : graph_(graph) {}

  // Whether there were such rows.
  bool run(const Family& family) {
    std::vector<const Node*> rows;
    for (const Node& node : graph_.nodes) {
      if (node.op != family.product) continue;
      if (!is_row(node, family)) return false;
      rows.push_back(&node);
    }
    if (rows.empty() || !are_few(rows, family)) return false;
    for (Node& node : std::exchange(graph_.nodes, {})) {
      if (node.op == family.product) {
        add_pixel(std::move(node), family);
      } else {
        graph_.nodes.push_back(std::move(node));
      }
    }
    drop_unread(graph_, is_view);
    return true;
  }

  Graph graph() && { return std::move(graph_); }

 private:
  const Value& value(ValueId id) const { return graph_.values[id]; }
  const Value& input(const Node& node, size_t i) const { return value(node.inputs[i]); }

  Kind kind_of(const Node& node) const {
    Rounding rounding = {};
    if (node.op == Op::kQuantizedMatMul) {
      rounding = node.attributes_as<QuantizedMatMulAttributes>().output.rounding;
    } else if (node.op == Op::kQuantizedConv) {
      rounding = node.attributes_as<QuantizedConvAttributes>().output.rounding;
    }
    return {input(node, 0).dtype, input(node, kWeightsInput).dtype, value(node.outputs[0]).dtype,
            rounding};
  }

  // A constant of one element, or of one for each output.
  bool is_of_outputs(const Node& node, size_t i, uint64_t outputs) const {
    const Value& v = input(node, i);
    return v.constant != nullptr && (v.elements() == 1 || v.elements() == outputs);
  }

  // A product that gives one row; of floats, without factors.
  bool is_row(const Node& node, const Family& family) const {
    const Value& x = input(node, 0);
    const Value& w = input(node, kWeightsInput);
    if (w.constant == nullptr || w.dims.size() < 2 || x.dims.empty()) return false;
    const Dim& depth = w.dims[w.dims.size() - 2];
    const Dim& outputs = w.dims.back();
    if (!has(family.types, x.dtype) || !has(family.types, w.dtype) ||
        !always(product(w.dims) == depth * outputs) || !always(product(x.dims) == depth) ||
        !always(x.dims.back() == depth) ||
        !always(product(value(node.outputs[0]).dims) == outputs)) {
      return false;
    }
    const auto count = static_cast<uint64_t>(bound(outputs));
    if (node.has_input(kBiasInput) && !is_of_outputs(node, kBiasInput, count)) return false;
    if (!is_quantized(family)) {
      const auto attributes = node.attributes_as<MatMulAttributes>();
      return attributes.alpha == 1 && (attributes.beta == 1 || !node.has_input(kBiasInput));
    }
    for (const size_t i : {kMultipliersInput, kShiftsInput}) {
      if (!node.has_input(i) || !is_of_outputs(node, i, count)) return false;
    }
    return !node.has_input(kXZeroPointInput) && !node.has_input(kWZeroPointsInput);
  }

  bool are_few(const std::vector<const Node*>& rows, const Family& family) const {
    uint64_t products = 0;
    const Kind kind = kind_of(*rows.front());
    for (const Node* row : rows) {
      if (kind_of(*row) != kind) return false;
      products += input(*row, kWeightsInput).elements();
    }
    uint64_t others = 0;
    for (const Node& node : graph_.nodes) {
      // The number of groups is the first attribute of every convolution.
      if (node.op != family.convolution || node.attributes[0] != 1 || kind_of(node) != kind ||
          (is_quantized(family) && !node.has_input(kMultipliersInput))) {
        continue;
      }
      const Value& w = input(node, kWeightsInput);
      const auto each = w.elements() / static_cast<uint64_t>(bound(w.dims[0]));
      others += value(node.outputs[0]).elements() * each;
    }
    return products <= others / family.part;
  }

  // [K, N] -> [N, K, 1, 1]
  ValueId transposed(ValueId id) {
    const Value& w = value(id);
    const auto depth = static_cast<size_t>(bound(w.dims[w.dims.size() - 2]));
    const auto outputs = static_cast<size_t>(bound(w.dims.back()));
    const size_t element = element_bytes(w.dtype);
    std::vector<std::byte> bytes(w.constant->size());
    for (size_t k = 0; k < depth; ++k) {
      for (size_t n = 0; n < outputs; ++n) {
        std::memcpy(bytes.data() + (n * depth + k) * element,
                    w.constant->data() + (k * outputs + n) * element, element);
      }
    }
    return add_constant(graph_, w.name, w.dtype, {w.dims.back(), w.dims[w.dims.size() - 2], 1, 1},
                        std::move(bytes));
  }

  // `count` elements, each the only one where there is one.
  ValueId vector_of(ValueId id, size_t count) {
    const Value& v = value(id);
    const size_t element = element_bytes(v.dtype);
    std::vector<std::byte> bytes(count * element);
    for (size_t i = 0; i < count; ++i) {
      const size_t from = v.elements() == 1 ? 0 : i * element;
      std::memcpy(bytes.data() + i * element, v.constant->data() + from, element);
    }
    return add_constant(graph_, v.name, v.dtype, {static_cast<int64_t>(count)}, std::move(bytes));
  }

  ValueId reshaped(ValueId from, ValueId to, const Node& of) {
    graph_.nodes.push_back({Op::kReshape, {from}, {to}, {}, of.sources});
    return to;
  }

  static bool is_view(const Node& node) {
    return node.op == Op::kReshape || node.op == Op::kTranspose;
  }

  // The row as a pixel, which it often was before a model took it for a row: its elements keep
  // their order whatever dims of 1 go between.
  ValueId pixel_of(const Node& row) {
    const Dim depth = input(row, 0).dims.back();
    const Dims dims = {1, depth, 1, 1};
    ValueId id = row.inputs[0];
    for (size_t n = graph_.nodes.size(); n-- > 0 && !always(value(id).dims == dims);) {
      const Node& node = graph_.nodes[n];
      if (node.outputs[0] != id || !is_view(node)) continue;
      const Dims& from = input(node, 0).dims;
      const bool one_axis =
          std::ranges::any_of(from, [&](const Dim& dim) { return always(dim == depth); });
      if (!one_axis) break;
      id = node.inputs[0];
    }
    if (always(value(id).dims == dims)) return id;
    const Value& x = input(row, 0);
    return reshaped(row.inputs[0], add_value(graph_, x.name, x.dtype, dims), row);
  }

  // Strides and dilations of 1 and no padding.
  template <typename Attributes>
  static Attributes one_pixel() {
    Attributes attributes = {};
    attributes.groups = 1;
    std::fill_n(attributes.stride, 2, 1u);
    std::fill_n(attributes.dilation, 2, 1u);
    return attributes;
  }

  static void set_attributes(Node& row, const Family& family) {
    row.op = family.convolution;
    if (is_quantized(family)) {
      const auto from = row.attributes_as<QuantizedMatMulAttributes>();
      auto attributes = one_pixel<QuantizedConvAttributes>();
      attributes.x_zero_point = attributes.outside = from.a_zero_point;
      attributes.w_zero_point = from.b_zero_point;
      attributes.output = from.output;
      row.set_attributes(attributes);
    } else {
      auto attributes = one_pixel<ConvAttributes>();
      attributes.activation = row.attributes_as<MatMulAttributes>().activation;
      row.set_attributes(attributes);
    }
  }

  void add_pixel(Node row, const Family& family) {
    const ValueId y = row.outputs[0];
    const Dim outputs = input(row, kWeightsInput).dims.back();
    const auto count = static_cast<size_t>(bound(outputs));
    row.inputs[0] = pixel_of(row);
    row.inputs[kWeightsInput] = transposed(row.inputs[kWeightsInput]);
    for (size_t i = kBiasInput; i < row.inputs.size(); ++i) {
      if (!row.has_input(i)) continue;
      // One bias for each output; one factor may be for all.
      const bool is_one = i != kBiasInput && input(row, i).elements() == 1;
      row.inputs[i] = vector_of(row.inputs[i], is_one ? 1 : count);
    }
    set_attributes(row, family);
    row.outputs[0] = add_value(graph_, value(y).name, value(y).dtype, {1, outputs, 1, 1});
    graph_.nodes.push_back(row);
    reshaped(row.outputs[0], y, row);
  }

  Graph graph_;
};

}  // namespace

std::optional<Graph> with_rows_as_pixels(const Graph& graph, bool floats) {
  Rewrite rewrite(graph);
  bool some = false;
  for (const Family& family : kFamilies) {
    if (is_quantized(family) || floats) some = rewrite.run(family) || some;
  }
  if (!some) return std::nullopt;
  return std::move(rewrite).graph();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
