// Turns Gelu, swish and their kin, written as several nodes, into one.
//
// All are a polynomial of x and of t, one function of a polynomial of x: Gelu is x/2 + x*t/2 with
// t = erf(0.7071 x), or t = tanh(0.7979 x + 0.0357 x^3). So exporters may write products and sums
// in any order: the coefficients are compared.
#include <array>
#include <cmath>
#include <set>

#include "planner/graph/pattern.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

constexpr size_t kDegrees = 5;  // of x; t has 0 and 1

// A polynomial in x^i * t^j.
struct Polynomial {
  std::array<std::array<double, 2>, kDegrees> terms{};

  static Polynomial term(size_t i, size_t j, double factor) {
    Polynomial p;
    p.terms[i][j] = factor;
    return p;
  }
  std::optional<double> number() const {
    Polynomial rest = *this;
    rest.terms[0][0] = 0;
    return rest.terms == Polynomial().terms ? std::optional<double>(terms[0][0]) : std::nullopt;
  }
};

Polynomial sum(const Polynomial& a, const Polynomial& b, double sign) {
  Polynomial result = a;
  for (size_t i = 0; i < kDegrees; ++i) {
    for (size_t j = 0; j < 2; ++j) result.terms[i][j] += sign * b.terms[i][j];
  }
  return result;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (size_t i = 0; i < kDegrees * 2; ++i) {
    for (size_t k = 0; k < kDegrees * 2; ++k) {
      const double factor = a.terms[i / 2][i % 2] * b.terms[k / 2][k % 2];
      if (factor == 0) continue;
      const size_t x = i / 2 + k / 2, t = i % 2 + k % 2;
      if (x >= kDegrees || t > 1) return std::nullopt;
      result.terms[x][t] += factor;
    }
  }
  return result;
}

bool agree(const Polynomial& a, const Polynomial& b) {
  for (size_t i = 0; i < kDegrees; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      // Exporters write six digits at least.
      const double expected = b.terms[i][j];
      if (!(std::fabs(a.terms[i][j] - expected) <= 1e-5 * std::fabs(expected))) return false;
    }
  }
  return true;
}

// Reads values as polynomials of x and t; the nodes in between are its parts.
class Reader {
 public:
  Reader(const Patterns& patterns, ValueId x, ValueId t) : patterns_(patterns), x_(x), t_(t) {}

  std::optional<Polynomial> read(ValueId id, int depth = 0) {
    if (id == x_) return Polynomial::term(1, 0, 1);
    if (id == t_) return Polynomial::term(0, 1, 1);
    if (const auto number = patterns_.number(id)) return Polynomial::term(0, 0, *number);
    const uint32_t n = patterns_.producer(id);
    if (depth > 8 || n == kNoNode || patterns_.made_by(id, patterns_.node(n).op) == kNoNode ||
        !always(patterns_.value(id).dims == patterns_.value(x_).dims)) {
      return std::nullopt;
    }
    const Node& node = patterns_.node(n);
    const bool known = node.op == Op::kAdd || node.op == Op::kSub || node.op == Op::kMul ||
                       node.op == Op::kDiv || node.op == Op::kPow || node.op == Op::kNeg;
    if (!known) return std::nullopt;
    parts_.insert(n);
    const std::optional<Polynomial> a = read(node.inputs[0], depth + 1);
    if (!a) return std::nullopt;
    if (node.op == Op::kNeg) return product(*a, Polynomial::term(0, 0, -1));
    const std::optional<Polynomial> b = read(node.inputs[1], depth + 1);
    if (!b) return std::nullopt;
    return joined(node.op, *a, *b);
  }
  const std::set<uint32_t>& parts() const { return parts_; }

 private:
  static std::optional<Polynomial> joined(Op op, const Polynomial& a, const Polynomial& b) {
    if (op == Op::kAdd || op == Op::kSub) return sum(a, b, op == Op::kAdd ? 1 : -1);
    if (op == Op::kMul) return product(a, b);
    const std::optional<double> number = b.number();
    if (!number) return std::nullopt;
    if (op == Op::kDiv) return product(a, Polynomial::term(0, 0, 1 / *number));
    if (*number == 2) return product(a, a);
    const std::optional<Polynomial> square = product(a, a);
    return *number == 3 && square ? product(a, *square) : std::nullopt;
  }

  const Patterns& patterns_;
  ValueId x_, t_;
  std::set<uint32_t> parts_;
};

// The function that an inner and an outer polynomial make.
struct Made {
  Op op;
  UnaryAttributes attributes;
};

bool is_sixth(double number) { return std::fabs(number - 1.0 / 6) <= 1e-6; }

std::optional<Made> made_of(const Node& function, const Polynomial& inner, const Polynomial& y) {
  const Polynomial one = Polynomial::term(1, 0, 1), gated = Polynomial::term(1, 1, 1);
  const Polynomial half = sum(Polynomial::term(1, 0, 0.5), Polynomial::term(1, 1, 0.5), 1);
  const double slope = inner.terms[1][0];
  switch (function.op) {
    case Op::kErf:
      if (agree(inner, Polynomial::term(1, 0, std::sqrt(0.5))) && agree(y, half)) {
        return Made{Op::kGelu, {0, 0}};
      }
      return std::nullopt;
    case Op::kTanh: {
      const double root = std::sqrt(2 / 3.14159265358979323846);
      const Polynomial cubic =
          sum(Polynomial::term(1, 0, root), Polynomial::term(3, 0, 0.044715 * root), 1);
      if (agree(inner, cubic) && agree(y, half)) return Made{Op::kGelu, {1, 0}};
      return std::nullopt;
    }
    case Op::kSigmoid:
      if (agree(inner, Polynomial::term(1, 0, slope)) && agree(y, gated)) {
        return Made{Op::kSwish, {static_cast<float>(slope), 0}};
      }
      return std::nullopt;
    case Op::kHardSigmoid: {
      const auto a = function.attributes_as<UnaryAttributes>();
      const bool known = is_sixth(double{a.alpha}) && a.beta == 0.5f;
      if (known && agree(inner, one) && agree(y, gated)) return Made{Op::kHardSwish, {0, 0}};
      return std::nullopt;
    }
    case Op::kClip: {
      const auto a = function.attributes_as<ClipAttributes>();
      const bool known = function.inputs.size() == 1 && a.min == 0.0f && a.max == 6.0f;
      if (!known || !agree(inner, sum(one, Polynomial::term(0, 0, 3), 1))) return std::nullopt;
      if (agree(y, Polynomial::term(1, 1, 1.0 / 6))) return Made{Op::kHardSwish, {0, 0}};
      if (agree(y, Polynomial::term(0, 1, 1.0 / 6))) {
        return Made{Op::kHardSigmoid, {1.0f / 6, 0.5f}};
      }
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Values that `id` is made of by arithmetic, itself first.
void collect(const Patterns& patterns, ValueId id, int depth, std::set<ValueId>& found) {
  if (patterns.value(id).constant != nullptr || !found.insert(id).second || depth == 0) return;
  const uint32_t n = patterns.producer(id);
  if (n == kNoNode) return;
  const Op op = patterns.node(n).op;
  const bool arithmetic = op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kDiv ||
                          op == Op::kPow || op == Op::kNeg;
  if (!arithmetic) return;
  for (const ValueId input : patterns.node(n).inputs) collect(patterns, input, depth - 1, found);
}

// Replaces what the function at node n and arithmetic around it compute of `x`.
bool replace_of(Patterns& patterns, uint32_t n, ValueId x) {
  const Node& function = patterns.node(n);
  const ValueId t = function.outputs[0];
  if (!always(patterns.value(t).dims == patterns.value(x).dims)) return false;
  Reader inside(patterns, x, kNoValue);
  const std::optional<Polynomial> inner = inside.read(function.inputs[0]);
  if (!inner) return false;
  std::optional<Made> best;
  std::set<uint32_t> best_parts;
  uint32_t best_root = kNoNode;
  // Follows the nodes from t on as long as one node alone reads each result.
  ValueId y = t;
  for (int steps = 0; steps < 4; ++steps) {
    const uint32_t root = patterns.sole_reader(y);
    if (root == kNoNode || patterns.node(root).outputs.size() != 1) break;
    y = patterns.node(root).outputs[0];
    Reader outside(patterns, x, t);
    const std::optional<Polynomial> outer = outside.read(y);
    if (!outer) break;
    const std::optional<Made> made = made_of(function, *inner, *outer);
    if (!made) continue;
    std::set<uint32_t> parts = inside.parts();
    parts.insert(outside.parts().begin(), outside.parts().end());
    parts.insert(n);
    if (!patterns.is_closed(parts, root)) continue;
    best = made;
    best_parts = std::move(parts);
    best_root = root;
  }
  if (!best) return false;
  Node node;
  node.op = best->op;
  node.inputs = {x};
  node.set_attributes(best->attributes);
  patterns.replace(best_parts, best_root, std::move(node));
  return true;
}

// x * tanh(softplus(x)).
void replace_mish(Patterns& patterns, uint32_t n) {
  const uint32_t softplus = patterns.made_by(patterns.node(n).inputs[0], Op::kSoftplus);
  if (softplus == kNoNode) return;
  const ValueId x = patterns.node(softplus).inputs[0];
  const ValueId t = patterns.node(n).outputs[0];
  const uint32_t root = patterns.sole_reader(t);
  if (root == kNoNode || patterns.made_by(patterns.node(root).outputs[0], Op::kMul) == kNoNode ||
      patterns.other_input(root, t) != x) {
    return;
  }
  const std::set<uint32_t> parts = {softplus, n, root};
  if (!patterns.is_closed(parts, root)) return;
  Node node;
  node.op = Op::kMish;
  node.inputs = {x};
  node.set_attributes(UnaryAttributes{});
  patterns.replace(parts, root, std::move(node));
}

bool is_function(Op op) {
  return op == Op::kErf || op == Op::kTanh || op == Op::kSigmoid || op == Op::kHardSigmoid ||
         op == Op::kClip;
}

}  // namespace

void fuse_gelu(Graph& graph) {
  Patterns patterns(graph);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (!is_function(graph.nodes[n].op) || patterns.is_removed(n)) continue;
    if (patterns.made_by(graph.nodes[n].outputs[0], graph.nodes[n].op) == kNoNode) continue;
    std::set<ValueId> candidates;
    collect(patterns, graph.nodes[n].inputs[0], 6, candidates);
    bool replaced = false;
    for (const ValueId x : candidates) {
      if (!replaced) replaced = replace_of(patterns, n, x);
    }
    if (!replaced && graph.nodes[n].op == Op::kTanh) replace_mish(patterns, n);
  }
  patterns.finish();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
