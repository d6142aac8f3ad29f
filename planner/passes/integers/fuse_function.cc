// A function of one value of 8 bits, however many nodes it is written in, becomes a table of its
// 256 results: the nodes compute them once, while planning.
#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/integers/elementwise.h"
#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {
namespace {

// Nodes that are looked at: files may hold any number.
constexpr size_t kNodesMax = 100;

// Nodes that compute each element of their results from the same element of one value, and from
// numbers that are known.
class Cone {
 public:
  explicit Cone(const Fusion& fusion) : fusion_(fusion) {}

  // Collects what makes `number`; false where that is no such function.
  bool collect(ValueId number) {
    std::vector<ValueId> open = {number};
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (id == kNoValue) continue;
      if (is_known(id)) {
        known_.insert(id);
        continue;
      }
      if (fusion_.operand(id)) {
        if (!take(fusion_.scaled(id))) return false;
        dequantized_.insert(id);
        continue;
      }
      const uint32_t n = fusion_.producer(id);
      if (n == kNoNode || !is_elementwise(fusion_.node(n))) return false;
      if (!nodes_.insert(n).second) continue;
      if (nodes_.size() > kNodesMax) return false;
      const std::vector<ValueId>& inputs = fusion_.node(n).inputs;
      open.insert(open.end(), inputs.begin(), inputs.end());
    }
    return source_.has_value() && same_dims();
  }

  const ScaledOperand& source() const { return *source_; }
  const std::set<uint32_t>& nodes() const { return nodes_; }

  // The results for each of the source's integers.
  std::array<float, kEntries> results(ValueId number) const;

 private:
  bool is_known(ValueId id) const {
    return fusion_.value(id).elements() == 1 && fusion_.numbers(id).has_value();
  }

  bool take(const std::optional<ScaledOperand>& operand) {
    if (!operand || element_bytes(operand->scale.dtype) != 1) return false;
    if (source_ && (source_->integers != operand->integers || source_->scale != operand->scale)) {
      return false;
    }
    source_ = operand;
    return fusion_.value(operand->integers).constant == nullptr;
  }

  static bool is_elementwise(const Node& node) {
    const LayoutRule& rule = contract_of(node.op).layout;
    return node.outputs.size() == 1 && rule.kind == LayoutClass::kElementwise &&
           rule.operands >= node.inputs.size();
  }

  // No result has other dims than the source.
  bool same_dims() const {
    const Dims& dims = fusion_.value(source_->integers).dims;
    return std::all_of(nodes_.begin(), nodes_.end(), [&](uint32_t n) {
      return always(fusion_.value(fusion_.node(n).outputs[0]).dims == dims);
    });
  }

  const Fusion& fusion_;
  std::optional<ScaledOperand> source_;
  std::set<ValueId> dequantized_, known_;
  std::set<uint32_t> nodes_;  // in the order of the graph, which is that of the data
};

std::array<float, kEntries> Cone::results(ValueId number) const {
  const auto bytes_of = [](const auto& elements) {
    const auto bytes = std::as_bytes(std::span(elements));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  std::array<float, kEntries> numbers{};
  const Scaled& scale = source_->scale;
  const int32_t low = range_of(scale.dtype).low;
  for (size_t i = 0; i < kEntries; ++i) {
    numbers[i] = static_cast<float>(static_cast<int32_t>(i) + low - scale.zero_point) * scale.scale;
  }
  ElementsById given;
  for (const ValueId id : dequantized_) given.emplace(id, bytes_of(numbers));
  for (const ValueId id : known_) given.emplace(id, bytes_of(*fusion_.numbers(id)));
  const std::vector<std::byte> bytes =
      elementwise_results(fusion_.graph(), given, nodes_, number, kEntries);
  std::array<float, kEntries> results{};
  std::memcpy(results.data(), bytes.data(), sizeof results);
  return results;
}

FunctionOfOne function_of(const Fusion& fusion, const Cone& cone, ValueId number) {
  FunctionOfOne function;
  function.numbers = cone.results(number);
  function.is_none = cone.nodes().empty();
  // TensorFlow Lite knows one function of a root, 1 / sqrt(x).
  if (cone.nodes().size() == 2) {
    const Node& root = fusion.node(*cone.nodes().begin());
    const Node& last = fusion.node(*cone.nodes().rbegin());
    if (root.op == Op::kSqrt && last.op == Op::kReciprocal) function.op = Op::kReciprocal;
  }
  if (cone.nodes().size() != 1) return function;
  const Node& node = fusion.node(*cone.nodes().begin());
  if (node.inputs.size() != 1) return function;
  function.op = node.op;
  if (node.op == Op::kLeakyRelu) function.alpha = node.attributes_as<UnaryAttributes>().alpha;
  return function;
}

// From integers of any type to others, with nothing between.
bool fuse_requantization(Fusion& fusion, const Target& target) {
  const std::optional<ScaledOperand> x = fusion.scaled(target.number);
  if (!x) return false;
  Node node;
  node.op = Op::kRequantize;
  node.inputs = {x->integers};
  node.set_attributes(requantize_attributes(target.wanted, x->scale));
  return fusion.fuse(target, std::move(node), {});
}

}  // namespace

bool fuse_function(Fusion& fusion, const Target& target) {
  Cone cone(fusion);
  if (!cone.collect(target.number)) return fuse_requantization(fusion, target);
  if (!always(fusion.value(target.number).dims == fusion.value(cone.source().integers).dims)) {
    return false;
  }
  const Table table =
      function_table(target.wanted, cone.source().scale, function_of(fusion, cone, target.number));
  Node node;
  node.op = Op::kLookup;
  node.inputs = {cone.source().integers,
                 add_integers(fusion.graph(), "table", target.wanted.y.dtype, {kEntries},
                              {table.begin(), table.end()})};
  return fusion.fuse(target, std::move(node), {cone.nodes().rbegin(), cone.nodes().rend()});
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
