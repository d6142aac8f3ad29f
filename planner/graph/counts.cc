// Follows each dim that is a count through a node, by a rule for each operator that may have one.
#include "planner/graph/counts.h"

#include <algorithm>
#include <optional>
#include <span>

#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

// A way says where the rows along an axis of an input lie in an output.
struct Way {
  enum Kind : uint8_t {
    kTo,     // row for row along `axis`
    kReads,  // the output has elements of rows that hold results only
    kMixes
  } kind = kMixes;
  size_t axis = 0;
};

constexpr Way kMixed = {};
constexpr Way kPicked = {Way::kReads, 0};
Way to(size_t axis) { return {Way::kTo, axis}; }

// One dim that is a count, on its way through a node.
struct Passage {
  const Graph& graph;
  const Node& node;
  size_t input, axis;
  const Dims& from;
  const Dims& to;  // of the output
  const RowFacts& facts;

  const Value& value(size_t i) const { return graph.values[node.inputs[i]]; }
  size_t rank_of(size_t i) const { return value(i).dims.size(); }
};

Way aligned_at_end(const Passage& p) { return to(p.axis + p.to.size() - p.from.size()); }

// A view keeps the rows apart where they have as many elements as before, one behind the other.
Way through_reshape(const Passage& p) {
  const Dim before = product(p.from, 0, p.axis);
  const Dim row = product(p.from, p.axis + 1, p.from.size());
  for (size_t axis = 0; axis < p.to.size(); ++axis) {
    if (!multiple_of(p.to[axis])) continue;
    const Dim own_before = product(p.to, 0, axis);
    const Dim own_row = product(p.to, axis + 1, p.to.size());
    // Rows of other lengths are no harm where they begin at the first element.
    const bool first = always(before == 1) && always(own_before == 1);
    if (first || (always(before == own_before) && always(row == own_row))) return to(axis);
  }
  return kMixed;
}

Way through_transpose(const Passage& p) {
  const auto& order = p.node.attributes;
  return to(static_cast<size_t>(std::find(order.begin(), order.end(), p.axis) - order.begin()));
}

Way through_slice(const Passage& p) {
  const auto slice = p.node.attributes_as<SliceAttributes>();
  return slice.start[p.axis] == 0 && slice.step[p.axis] == 1 ? to(p.axis) : kMixed;
}

Way through_pad(const Passage& p) {
  return p.node.attributes_as<PadAttributes>().begin[p.axis] == 0 ? to(p.axis) : kMixed;
}

Way through_concat(const Passage& p) {
  return p.node.attributes_as<ConcatAttributes>().axis == p.axis ? kMixed : to(p.axis);
}

// The dim that indices point into comes to no harm if they are places: each points to a row with
// results, or lies in a row without.
Way picked_by(const Passage& p, size_t indices) {
  return p.facts.are_places(p.node.inputs[indices]) ? kPicked : kMixed;
}

// Indices in rows without results must point to something.
Way pointing_to(const Passage& p, size_t axis) {
  return p.facts.are_places(p.node.inputs[p.input]) ? to(axis) : kMixed;
}

Way through_gather(const Passage& p) {
  const size_t axis = p.node.attributes_as<GatherAttributes>().axis;
  if (p.input == 1) return pointing_to(p, axis + p.axis);
  if (p.axis == axis) return picked_by(p, 1);
  return to(p.axis < axis ? p.axis : p.axis + p.rank_of(1) - 1);
}

Way through_gather_nd(const Passage& p) {
  const size_t batch = p.node.attributes_as<IndexedAttributes>().batch_dims;
  if (p.input == 1) return p.axis + 1 < p.from.size() ? pointing_to(p, p.axis) : kMixed;
  if (p.axis < batch) return to(p.axis);
  const auto places = static_cast<size_t>(bound(p.value(1).dims.back()));
  if (p.axis < batch + places) return picked_by(p, 1);
  return to(p.axis + p.to.size() - p.from.size());
}

Way through_gather_elements(const Passage& p) {
  const size_t axis = p.node.attributes_as<IndexedAttributes>().axis;
  if (p.input == 1) return pointing_to(p, p.axis);
  return p.axis == axis ? picked_by(p, 1) : to(p.axis);
}

Way along_other_axes(const Passage& p, uint32_t axes) {
  return (axes >> p.axis & 1u) == 0 ? to(p.axis) : kMixed;
}

template <typename Attributes>
Way apart_from_axes(const Passage& p) {
  if (p.input != 0) return kMixed;
  return along_other_axes(p, p.node.attributes_as<Attributes>().axes);
}

template <typename Attributes>
Way apart_from_axis(const Passage& p) {
  return along_other_axes(p, 1u << p.node.attributes_as<Attributes>().axis);
}

// Sums up to a row have none of those behind it.
Way through_cum_sum(const Passage& p) {
  const auto attributes = p.node.attributes_as<CumSumAttributes>();
  return attributes.axis == p.axis && attributes.reverse != 0 ? kMixed : to(p.axis);
}

// Rows of the left side, columns of the right one, and batches.
Way through_matmul(const Passage& p) {
  const size_t inner = p.input == 0 ? p.from.size() - 1 : p.from.size() - 2;
  if (p.input == kResidualInput) return aligned_at_end(p);
  return p.axis == inner || p.input > 1 ? kMixed : aligned_at_end(p);
}

// Images of a batch, each by itself.
Way of_batch(const Passage& p) { return p.input == 0 && p.axis == 0 ? to(0) : kMixed; }

Way through_conv(const Passage& p) { return p.input == kResidualInput ? to(p.axis) : of_batch(p); }

// Rows of boxes without results are those that have no score.
Way through_suppression(const Passage& p) { return p.input == 0 ? kPicked : kMixed; }

Way through_one_hot(const Passage& p) {
  if (p.input != 0) return kMixed;
  return to(p.axis < p.node.attributes_as<OneHotAttributes>().axis ? p.axis : p.axis + 1);
}

struct Rule {
  Op op;
  Way (*way)(const Passage& p);
};

// Families unary and binary are not among them.
constexpr Rule kRules[] = {
    {Op::kArgMax, apart_from_axes<ArgAttributes>},
    {Op::kArgMin, apart_from_axes<ArgAttributes>},
    {Op::kAveragePool, of_batch},
    {Op::kCast, aligned_at_end},
    {Op::kClip, aligned_at_end},
    {Op::kConcat, through_concat},
    {Op::kConv, through_conv},
    {Op::kConvTranspose, of_batch},
    {Op::kCopy, aligned_at_end},
    {Op::kCumSum, through_cum_sum},
    {Op::kDequantize, aligned_at_end},
    {Op::kGather, through_gather},
    {Op::kGatherElements, through_gather_elements},
    {Op::kGatherND, through_gather_nd},
    {Op::kLogSoftmax, apart_from_axes<SoftmaxAttributes>},
    {Op::kMatMul, through_matmul},
    {Op::kMaxPool, of_batch},
    {Op::kNonMaxSuppression, through_suppression},
    {Op::kNormalize, apart_from_axes<NormalizeAttributes>},
    {Op::kOneHot, through_one_hot},
    {Op::kPad, through_pad},
    {Op::kPointwiseDepthwise, of_batch},
    {Op::kQuantize, aligned_at_end},
    {Op::kQuantizedConvAdd, of_batch},
    {Op::kQuantizedConvLookup, of_batch},
    {Op::kQuantizedExcite, of_batch},
    {Op::kQuantizedPointwiseDepthwise, of_batch},
    {Op::kReshape, through_reshape},
    {Op::kSlice, through_slice},
    {Op::kSoftNonMaxSuppression, through_suppression},
    {Op::kSoftmax, apart_from_axes<SoftmaxAttributes>},
    {Op::kSqueezeExcite, of_batch},
    {Op::kTopK, apart_from_axis<TopKAttributes>},
    {Op::kTranspose, through_transpose},
    {Op::kWhere, aligned_at_end},
};

enum class Family : uint8_t { kElementwise, kReduce, kOther };

Family family_of(Op op) {
  switch (op) {
#define ARENITE_OP_unary(number, name, Type, types) case Op::k##Type:
#define ARENITE_OP_binary(number, name, Type, types) case Op::k##Type:
#include "schema/ops.def"
    return Family::kElementwise;
    default:
      break;
  }
  switch (op) {
#define ARENITE_OP_reduce(number, name, Type, types) case Op::k##Type:
#include "schema/ops.def"
    return Family::kReduce;
    default:
      return Family::kOther;
  }
}

Way way_of(const Passage& p) {
  const Rule* rule = std::ranges::find(kRules, p.node.op, &Rule::op);
  if (rule != std::end(kRules)) return rule->way(p);
  switch (family_of(p.node.op)) {
    case Family::kElementwise:
      return aligned_at_end(p);
    case Family::kReduce:
      return apart_from_axes<ReduceAttributes>(p);
    default:
      return kMixed;
  }
}

bool has_count(const Graph& graph, const std::vector<ValueId>& values) {
  return std::ranges::any_of(
      values, [&](ValueId id) { return id != kNoValue && has_count(graph.values[id].dims); });
}

std::string why_rows_mix(const Graph& graph, const Node& node, const Dims& output,
                         const RowFacts& facts) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    const Value& from = graph.values[node.inputs[i]];
    for (size_t axis = 0; axis < from.dims.size(); ++axis) {
      const std::optional<Multiple> rows = multiple_of(from.dims[axis]);
      if (!rows || facts.filled.contains(node.inputs[i])) continue;
      const Way way = way_of({graph, node, i, axis, from.dims, output, facts});
      if (way.kind == Way::kReads) continue;
      if (way.kind == Way::kTo && way.axis < output.size()) {
        const std::optional<Multiple> there = multiple_of(output[way.axis]);
        if (there && there->count == rows->count) continue;
      }
      return "dim " + std::to_string(axis) + " of '" + printable(from.name) + "' " +
             dims_text(from.dims) + " depends on the data of each run, and " + op_name(node.op) +
             " would mix its rows that hold results with others";
    }
  }
  return "";
}

bool moves_elements(Op op) {
  return op == Op::kCast || op == Op::kCopy || op == Op::kGather || op == Op::kGatherElements ||
         op == Op::kGatherND || op == Op::kReshape || op == Op::kSlice || op == Op::kTranspose;
}

}  // namespace

void note_places(const Node& node, RowFacts& facts) {
  switch (node.op) {
    case Op::kArgMax:
    case Op::kArgMin:
    case Op::kNonMaxSuppression:
      facts.places.insert(node.outputs[0]);
      return;
    case Op::kSoftNonMaxSuppression:
    case Op::kTopK:
      facts.places.insert(node.outputs[1]);
      return;
    default:
      break;
  }
  const bool all = node.op == Op::kConcat && std::ranges::all_of(node.inputs, [&](ValueId input) {
                     return facts.are_places(input);
                   });
  if (all || (moves_elements(node.op) && facts.are_places(node.inputs[0]))) {
    facts.places.insert(node.outputs[0]);
  }
}

bool fills_rows(Op op) {
  return op == Op::kConcat || op == Op::kDiv || op == Op::kLess || op == Op::kLogicalAnd ||
         op == Op::kReduceSum || op == Op::kWhere;
}

Node multiply_count(ValueId count, ValueId times, ValueId elements) {
  Node node;
  node.op = Op::kMul;
  node.inputs = {count, times};
  node.outputs = {elements};
  node.set_attributes(BinaryAttributes{});
  return node;
}

std::string why_rows_mix(const Graph& graph, const Node& node, const RowFacts& facts) {
  // Most nodes have none.
  if (!has_count(graph, node.inputs)) return "";
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    const std::string why = why_rows_mix(graph, node, graph.values[output].dims, facts);
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
