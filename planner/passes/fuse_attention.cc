// Turns softmax(scale * q * k^T [+ a causal mask]) * v into one node, which stores no scores, where
// these are more than v and the result, which live beside q and k then. Masks that come at run time
// stay as they are.
#include <algorithm>
#include <set>

#include "planner/graph/pattern.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

class AttentionMatcher {
 public:
  AttentionMatcher(Patterns& patterns, uint32_t root) : patterns_(patterns), root_(root) {}

  void run() {
    const std::optional<float> plain = product_scale(root_);
    if (plain != 1.0f) return;
    const Node last = node(root_);
    v_ = last.inputs[1];
    const Node* softmax = part(last.inputs[0], Op::kSoftmax);
    const Dims dims = value(last.outputs[0]).dims;
    if (softmax == nullptr || dims.size() < 2 || !always(dims.back() <= kAttentionWidthMax) ||
        softmax->attributes_as<SoftmaxAttributes>().axes != 1u << (dims.size() - 1)) {
      return;
    }
    if (!take_scores(softmax->inputs[0])) return;
    parts_.insert(root_);
    if (!fits(dims) || !saves(softmax->inputs[0]) || !patterns_.is_closed(parts_, root_)) return;
    replace(dims);
  }

 private:
  const Value& value(ValueId id) const { return patterns_.value(id); }
  const Node& node(uint32_t n) const { return patterns_.node(n); }

  const Node* part(ValueId id, Op op) { return patterns_.part(id, op, parts_); }

  // Alpha of a product of two matrices.
  std::optional<float> product_scale(uint32_t n) const {
    const Node& product = node(n);
    if (product.inputs.size() != 2) return std::nullopt;
    return product.attributes_as<MatMulAttributes>().alpha;
  }

  // A mask, if any; a factor, if any; the product of q and k.
  bool take_scores(ValueId scores) {
    if (const Node* sum = part(scores, Op::kAdd)) {
      const bool second = value(sum->inputs[1]).constant != nullptr;
      if (!take_causal(sum->inputs[second ? 1 : 0], value(scores).dims)) return false;
      scores = sum->inputs[second ? 0 : 1];
    }
    scores = without_factor(scores);
    const uint32_t n = patterns_.made_by(scores, Op::kMatMul);
    if (n == kNoNode) return false;
    const std::optional<float> alpha = product_scale(n);
    if (!alpha) return false;
    product_ = n;
    parts_.insert(n);
    scale_ *= *alpha;
    q_ = without_factor(node(n).inputs[0]);
    keys_ = without_factor(node(n).inputs[1]);
    return true;
  }

  // The value of which `id` is a multiple, which only the pattern reads; the factor goes into the
  // scale.
  ValueId without_factor(ValueId id) {
    for (const Op op : {Op::kMul, Op::kDiv}) {
      const uint32_t n = patterns_.made_by(id, op);
      if (n == kNoNode || patterns_.sole_reader(id) == kNoNode) continue;
      for (size_t i = 0; i < 2; ++i) {
        const std::optional<double> number = patterns_.number(node(n).inputs[i]);
        const ValueId x = node(n).inputs[1 - i];
        if (!number || (op == Op::kDiv && i == 0) || !always(value(x).dims == value(id).dims)) {
          continue;
        }
        scale_ = static_cast<float>(op == Op::kMul ? double{scale_} * *number
                                                   : double{scale_} / *number);
        parts_.insert(n);
        return x;
      }
    }
    return id;
  }

  // A constant that is 0 for the keys up to a query's own, counted from an offset, and takes all
  // others out.
  bool take_causal(ValueId mask, const Dims& dims) {
    constexpr float kOut = -1e30f;  // beyond any sum of products with a meaning
    const Value& constant = value(mask);
    const auto keys = static_cast<uint64_t>(baked(dims.back(), "a causal mask"));
    const auto queries = static_cast<uint64_t>(baked(dims[dims.size() - 2], "a causal mask"));
    if (constant.constant == nullptr || constant.dtype != DType::kFloat32 || keys == 0 ||
        constant.dims.size() > dims.size() || constant.elements() != keys * queries) {
      return false;
    }
    const std::vector<float> elements = float_elements(constant);
    const auto first = std::find_if(elements.begin(), elements.begin() + std::ptrdiff_t(keys),
                                    [](float e) { return e != 0; });
    const int64_t seen = first - elements.begin();
    for (uint64_t i = 0; i < queries * keys; ++i) {
      const bool sees = static_cast<int64_t>(i % keys) < seen + static_cast<int64_t>(i / keys);
      if (sees ? elements[i] != 0 : !(elements[i] <= kOut)) return false;
    }
    // If a query sees no key, its result here is the mean of all values; attention's would be none.
    if (seen == 0) return false;
    causal_ = true;
    offset_ = static_cast<int32_t>(seen - 1);
    return true;
  }

  // Whether fewer elements live at once. In steps they are q, k and the scores, or the scores, v
  // and y; in one, q, k, v and y.
  bool saves(ValueId scores) const {
    if (patterns_.graph().attention_fusion == AttentionFusion::kAlways) return true;
    return value(scores).elements() >
           value(v_).elements() + value(node(root_).outputs[0]).elements();
  }

  // Whether q, keys and v have y's rank, and its batch dims or 1.
  bool fits(const Dims& y) const {
    for (const ValueId id : {q_, keys_, v_}) {
      const Dims& dims = value(id).dims;
      if (dims.size() != y.size()) return false;
      for (size_t d = 0; d + 2 < y.size(); ++d) {
        if (!always(dims[d] == y[d]) && !always(dims[d] == 1)) return false;
      }
    }
    return true;
  }

  void replace(const Dims& y) {
    // The product of q and k turns the keys back now, which is a view.
    Node transpose;
    transpose.op = Op::kTranspose;
    transpose.inputs = {keys_};
    Dims dims = value(keys_).dims;
    for (uint32_t d = 0; d < y.size(); ++d) transpose.attributes.push_back(d);
    std::swap(transpose.attributes[y.size() - 1], transpose.attributes[y.size() - 2]);
    std::swap(dims[y.size() - 1], dims[y.size() - 2]);
    const ValueId k = patterns_.recycle(product_, std::move(transpose), dims);
    parts_.erase(product_);
    Node attention;
    attention.op = Op::kAttention;
    attention.inputs = {q_, k, v_};
    attention.set_attributes(AttentionAttributes{scale_, causal_ ? 1u : 0u, offset_});
    append_sources(attention, node(product_));
    patterns_.replace(parts_, root_, std::move(attention));
  }

  Patterns& patterns_;
  uint32_t root_;
  uint32_t product_ = kNoNode;
  std::set<uint32_t> parts_;
  ValueId q_ = kNoValue, keys_ = kNoValue, v_ = kNoValue;
  float scale_ = 1;
  bool causal_ = false;
  int32_t offset_ = 0;
};

}  // namespace

void choose_as_for(const Graph& like, Graph& graph) {
  const bool is_fused =
      std::ranges::find(like.nodes, Op::kAttention, &Node::op) != like.nodes.end();
  graph.attention_fusion = is_fused ? AttentionFusion::kAlways : AttentionFusion::kNever;
}

void fuse_attention(Graph& graph) {
  if (graph.attention_fusion == AttentionFusion::kNever) return;
  Patterns patterns(graph);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].op != Op::kMatMul || patterns.is_removed(n)) continue;
    if (patterns.made_by(graph.nodes[n].outputs[0], Op::kMatMul) != kNoNode) {
      AttentionMatcher(patterns, n).run();
    }
  }
  patterns.finish();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
