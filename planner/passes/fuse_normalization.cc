// Turns mean, differences, variance and division, as exporters write normalization, into one node.
//
//   d = x - mean(x)            or d = x (root mean square)
//   s = sqrt(mean(d * d) + e)  or r = (mean(d * d) + e) ^ -1/2, r = 1 / s
//   n = d / s, d * r           [* scale] [+ bias]
#include <set>

#include "planner/graph/pattern.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

class NormalizationMatcher {
 public:
  NormalizationMatcher(Patterns& patterns, uint32_t root) : patterns_(patterns), root_(root) {}

  // Replaces what ends in a division or product by the root of a mean square.
  bool run() {
    const Node& node = patterns_.node(root_);
    parts_.insert(root_);
    const bool divides = node.op == Op::kDiv;
    const bool found = divides ? divides_by_root(node.inputs[0], node.inputs[1])
                               : multiplies(node.inputs[0], node.inputs[1]) ||
                                     multiplies(node.inputs[1], node.inputs[0]);
    if (!found || !always(value(x_).dims == value(node.outputs[0]).dims)) return false;
    take_constant(Op::kMul, scale_);
    take_constant(Op::kAdd, bias_);
    if (!patterns_.is_closed(parts_, root_)) return false;
    Node normal;
    normal.op = Op::kNormalize;
    normal.inputs = {x_, scale_, bias_};
    while (normal.inputs.back() == kNoValue) normal.inputs.pop_back();
    const Norm norm = centered_ ? Norm::kDeviation : Norm::kMeanSquare;
    normal.set_attributes(NormalizeAttributes{axes_, norm, epsilon_, 0, 0});
    patterns_.replace(parts_, root_, std::move(normal));
    return true;
  }

 private:
  const Value& value(ValueId id) const { return patterns_.value(id); }
  const Node& node(uint32_t n) const { return patterns_.node(n); }

  // Whether `id` is made by `op`; the node is a part then.
  const Node* part(ValueId id, Op op) { return patterns_.part(id, op, parts_); }

  bool multiplies(ValueId d, ValueId inverse) {
    const std::set<uint32_t> before = parts_;
    if (const Node* reciprocal = part(inverse, Op::kReciprocal)) {
      if (divides_by_root(d, reciprocal->inputs[0])) return true;
    } else if (const Node* division = part(inverse, Op::kDiv)) {
      if (patterns_.number(division->inputs[0]) == 1.0 && divides_by_root(d, division->inputs[1])) {
        return true;
      }
    } else if (const Node* power = part(inverse, Op::kPow)) {
      if (patterns_.number(power->inputs[1]) == -0.5 && is_mean_square(d, power->inputs[0])) {
        return true;
      }
    }
    parts_ = before;
    return false;
  }

  bool divides_by_root(ValueId d, ValueId root) {
    const Node* sqrt = part(root, Op::kSqrt);
    return sqrt != nullptr && is_mean_square(d, sqrt->inputs[0]);
  }

  // Whether `sum` is the mean of d's squares and a number.
  bool is_mean_square(ValueId d, ValueId sum) {
    const Node* add = part(sum, Op::kAdd);
    if (add == nullptr) return false;
    for (size_t i = 0; i < 2; ++i) {
      const std::optional<double> epsilon = patterns_.number(add->inputs[i]);
      if (!epsilon) continue;
      epsilon_ = static_cast<float>(*epsilon);
      const Node* mean = part(add->inputs[1 - i], Op::kReduceMean);
      if (mean == nullptr) return false;
      axes_ = mean->attributes_as<ReduceAttributes>().axes;
      return squares(mean->inputs[0], d);
    }
    return false;
  }

  bool squares(ValueId square, ValueId d) {
    ValueId of = kNoValue;
    if (const Node* power = part(square, Op::kPow)) {
      if (patterns_.number(power->inputs[1]) != 2.0) return false;
      of = power->inputs[0];
    } else if (const Node* product = part(square, Op::kMul)) {
      if (product->inputs[0] != product->inputs[1]) return false;
      of = product->inputs[0];
    } else {
      return false;
    }
    return is_centered(of, d) || of == d ? take_x(of, d) : false;
  }

  // Whether both are x less its mean, be it computed once or twice.
  bool is_centered(ValueId a, ValueId b) const {
    const uint32_t first = patterns_.made_by(a, Op::kSub), second = patterns_.made_by(b, Op::kSub);
    if (first == kNoNode || second == kNoNode) return false;
    const std::vector<ValueId>& left = node(first).inputs;
    const std::vector<ValueId>& right = node(second).inputs;
    return left[0] == right[0] && is_mean_of(left[1], left[0]) && is_mean_of(right[1], left[0]);
  }

  bool is_mean_of(ValueId mean, ValueId x) const {
    const uint32_t n = patterns_.made_by(mean, Op::kReduceMean);
    return n != kNoNode && node(n).inputs[0] == x &&
           node(n).attributes_as<ReduceAttributes>().axes == axes_;
  }

  bool take_x(ValueId of, ValueId d) {
    centered_ = is_centered(of, d);
    x_ = d;
    if (!centered_) return true;
    for (const ValueId difference : {of, d}) {
      const Node* sub = part(difference, Op::kSub);
      part(sub->inputs[1], Op::kReduceMean);
      x_ = sub->inputs[0];
    }
    return true;
  }

  // If the root's one reader combines it with a constant, the constant becomes an operand.
  void take_constant(Op op, ValueId& operand) {
    const ValueId y = node(root_).outputs[0];
    const uint32_t next = patterns_.sole_reader(y);
    if (next == kNoNode || patterns_.made_by(node(next).outputs[0], op) == kNoNode) return;
    const ValueId constant = patterns_.other_input(next, y);
    if (value(constant).constant == nullptr ||
        !always(value(node(next).outputs[0]).dims == value(y).dims)) {
      return;
    }
    operand = constant;
    root_ = next;
    parts_.insert(next);
  }

  Patterns& patterns_;
  uint32_t root_;
  std::set<uint32_t> parts_;
  ValueId x_ = kNoValue, scale_ = kNoValue, bias_ = kNoValue;
  uint32_t axes_ = 0;
  float epsilon_ = 0;
  bool centered_ = false;
};

}  // namespace

void fuse_normalization(Graph& graph) {
  Patterns patterns(graph);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const Op op = graph.nodes[n].op;
    const bool ends = op == Op::kDiv || op == Op::kMul;
    if (!ends || patterns.is_removed(n)) continue;
    if (patterns.made_by(graph.nodes[n].outputs[0], op) != kNoNode)
      NormalizationMatcher(patterns, n).run();
  }
  patterns.finish();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
