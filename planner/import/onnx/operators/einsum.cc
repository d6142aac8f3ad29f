// Imports Einsum: diagonals become slices, what only one operand has is summed up at once, and
// pairs of operands are contracted from the left, by matrix products of float32 or by sums of
// products.
//
//   bhid,bhjd->bhij    batch b h, rows i, columns j, inner d: one batched product
//   ii->i              [n, n] seen as [n*n], of which every (n+1)-th is taken
#include <algorithm>
#include <map>
#include <set>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// A letter, or the i-th dim of the ellipsis, counted from its right.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kEllipsis = 256;

struct Term {
  ValueId value;
  Labels labels;  // of its dims
};

struct Equation {
  std::vector<std::string> operands;
  std::string result;
  bool has_result = false;
};

bool holds(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Equation parse(const OpContext& context, std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  Equation equation;
  const size_t arrow = text.find("->");
  equation.has_result = arrow != std::string::npos;
  if (equation.has_result) {
    equation.result = text.substr(arrow + 2);
    text.resize(arrow);
  }
  size_t start = 0;
  for (size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find(',', start);
    equation.operands.push_back(text.substr(start, end - start));
  }
  if (equation.operands.size() != context.input_count()) {
    context.fail_attribute("equation", "has " + std::to_string(equation.operands.size()) +
                                           " terms, the node " +
                                           std::to_string(context.input_count()) + " inputs");
  }
  return equation;
}

// The labels of a term of which `ellipsis` dims have no letter.
Labels labels_of(const OpContext& context, const std::string& term, size_t ellipsis) {
  Labels labels;
  bool seen = false;
  for (size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (term.compare(i, 3, "...") == 0 && !seen) {
      for (size_t d = ellipsis; d-- > 0;) labels.push_back(kEllipsis + static_cast<Label>(d));
      seen = true;
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      labels.push_back(c);
    } else {
      context.fail_attribute(
          "equation", quote(printable(term)) + " holds " + quote(printable(std::string(1, c))));
    }
  }
  return labels;
}

class Einsum {
 public:
  explicit Einsum(OpContext& context) : context_(context) {}

  void run() {
    context_.expect_operands(1, SIZE_MAX);
    const Equation equation = parse(context_, context_.string_attribute("equation", ""));
    type_ = context_.dtype(context_.input(0));
    for (size_t i = 0; i < equation.operands.size(); ++i) add_term(equation.operands[i], i);
    result_ = result_of(equation);
    for (Term& term : terms_) simplify(term);
    while (terms_.size() > 1) {
      // Each reduced by itself first, then both are out of the way of what is still needed.
      terms_[0] = summed(terms_[0], 0);
      terms_[1] = summed(terms_[1], 1);
      const Term left = terms_[0], right = terms_[1];
      terms_.erase(terms_.begin());
      terms_[0] = {kNoValue, {}};
      terms_[0] = contracted(left, right);
    }
    finish(summed(terms_[0], 0));
  }

 private:
  void add_term(const std::string& text, size_t i) {
    const ValueId x = context_.input(i);
    const Dims dims = context_.dims(x);
    if (context_.dtype(x) != type_) {
      context_.fail("operands differ in type: " + dtype_name(type_) + " and " +
                    dtype_name(context_.dtype(x)));
    }
    const size_t letters = labels_of(context_, text, 0).size();
    const bool open = text.find("...") != std::string::npos;
    if (letters > dims.size() || (!open && letters != dims.size())) {
      context_.fail_attribute("equation", quote(text) + " does not name the dims " +
                                              dims_text(dims) + " of input " + std::to_string(i));
    }
    Labels labels = labels_of(context_, text, dims.size() - letters);
    if (open) ellipsis_ = std::max(ellipsis_, dims.size() - letters);
    for (size_t d = 0; d < labels.size(); ++d) {
      Dim& size = sizes_.try_emplace(labels[d], 1).first->second;
      ++uses_[labels[d]];
      if (size != 1 && dims[d] != 1 && size != dims[d]) {
        context_.fail("the dims of " + quote(text) + " differ: " + dim_text(size) + " and " +
                      dim_text(dims[d]));
      }
      size = max(size, dims[d]);
    }
    terms_.push_back({x, std::move(labels)});
  }

  Labels result_of(const Equation& equation) {
    if (!equation.has_result) {
      // The ellipsis, then in the order of letters those that stand once.
      Labels labels = labels_of(context_, "...", ellipsis_);
      for (const auto& [label, count] : uses_) {
        if (label < kEllipsis && count == 1) labels.push_back(label);
      }
      return labels;
    }
    Labels labels = labels_of(context_, equation.result, ellipsis_);
    for (size_t i = 0; i < labels.size(); ++i) {
      if (sizes_.find(labels[i]) == sizes_.end() ||
          std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), labels[i]) !=
              labels.begin() + static_cast<std::ptrdiff_t>(i)) {
        context_.fail_attribute("equation", "the result " + quote(equation.result) +
                                                " names a dim twice, or one that no input has");
      }
    }
    return labels;
  }

  ValueId permuted(ValueId x, const std::vector<uint32_t>& order) {
    if (std::is_sorted(order.begin(), order.end())) return x;
    const Dims dims = context_.dims(x);
    Dims to;
    for (const uint32_t d : order) to.push_back(dims[d]);
    const ValueId y = context_.add_between("permuted", type_, to);
    context_.add_node(Op::kTranspose, {x}, {y}, order);
    return y;
  }

  Dims dims_of(const Labels& labels) const {
    Dims dims;
    for (const Label label : labels) dims.push_back(sizes_.at(label));
    return dims;
  }
  Dim product_of(const Labels& labels) const { return product(dims_of(labels)); }

  // The term with its dims in another order.
  ValueId in_order(const Term& term, const Labels& labels) {
    std::vector<uint32_t> order;
    for (const Label label : labels) {
      const auto at = std::find(term.labels.begin(), term.labels.end(), label);
      order.push_back(static_cast<uint32_t>(at - term.labels.begin()));
    }
    return permuted(term.value, order);
  }

  // Without dims of 1, which repeat over whatever the others have, and with each label once.
  void simplify(Term& term) {
    const Dims dims = context_.dims(term.value);
    Labels labels;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] != 1) labels.push_back(term.labels[d]);
    }
    term.labels = std::move(labels);
    term.value = reshaped(context_, term.value, dims_of(term.labels), "squeezed");
    for (size_t first = 0; first < term.labels.size(); ++first) {
      const auto behind = term.labels.begin() + static_cast<std::ptrdiff_t>(first) + 1;
      const auto second = std::find(behind, term.labels.end(), term.labels[first]);
      if (second == term.labels.end()) continue;
      take_diagonal(term, first, static_cast<size_t>(second - term.labels.begin()));
      first = SIZE_MAX;  // from the start
    }
  }

  void take_diagonal(Term& term, size_t first, size_t second) {
    const Label label = term.labels[first];
    std::vector<uint32_t> order;
    Labels labels;
    for (uint32_t d = 0; d < term.labels.size(); ++d) {
      if (d == first || d == second) continue;
      order.push_back(d);
      labels.push_back(term.labels[d]);
    }
    order.push_back(static_cast<uint32_t>(first));
    order.push_back(static_cast<uint32_t>(second));
    Dims dims = dims_of(labels);
    const Dim size = sizes_.at(label);
    dims.push_back(size * size);
    const ValueId square = reshaped(context_, permuted(term.value, order), dims, "square");
    SliceAttributes slice{};
    std::fill(std::begin(slice.step), std::end(slice.step), 1);
    slice.step[labels.size()] = static_cast<int32_t>(baked(size + 1, "the step of a diagonal"));
    dims.back() = size;
    term.value = context_.add_between("diagonal", type_, dims);
    context_.add_node(Op::kSlice, {square}, {term.value}, slice);
    labels.push_back(label);
    term.labels = std::move(labels);
  }

  // Whether the result or a term but that one needs a label.
  bool is_needed(Label label, size_t but) const {
    if (holds(result_, label)) return true;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (i != but && holds(terms_[i].labels, label)) return true;
    }
    return false;
  }

  Term sum_over(const Term& term, const std::set<Label>& gone) {
    if (gone.empty()) return term;
    Dims dims = dims_of(term.labels);
    ReduceAttributes axes{0};
    Labels labels;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (gone.count(term.labels[d]) == 0) {
        labels.push_back(term.labels[d]);
      } else {
        axes.axes |= 1u << d;
        dims[d] = 1;
      }
    }
    const ValueId y = context_.add_between("summed", type_, dims);
    context_.add_node(Op::kReduceSum, {term.value}, {y}, axes);
    return {reshaped(context_, y, dims_of(labels), "sums"), labels};
  }

  // Term `i` without what only it has.
  Term summed(const Term& term, size_t i) {
    std::set<Label> gone;
    for (const Label label : term.labels) {
      if (!is_needed(label, i)) gone.insert(label);
    }
    return sum_over(term, gone);
  }

  // Their own place among the terms is empty.
  Term contracted(const Term& a, const Term& b) {
    Labels batch, inner, rows, columns;
    for (const Label label : a.labels) {
      if (!holds(b.labels, label)) {
        rows.push_back(label);
      } else {
        (is_needed(label, 0) ? batch : inner).push_back(label);
      }
    }
    for (const Label label : b.labels) {
      if (!holds(a.labels, label)) columns.push_back(label);
    }
    return inner.empty() || type_ != DType::kFloat32
               ? by_sums(a, b, {batch, rows, columns, inner})
               : by_product(a, b, {batch, rows, columns, inner});
  }

  struct Split {
    Labels batch, rows, columns, inner;
  };

  static Labels joined(std::initializer_list<const Labels*> parts) {
    Labels all;
    for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
  }

  Term by_product(const Term& a, const Term& b, const Split& s) {
    Dims batch = dims_of(s.batch);
    if (batch.size() + 2 > kMaxRank) batch = {product_of(s.batch)};
    const Dim rows = product_of(s.rows), columns = product_of(s.columns);
    const Dim inner = product_of(s.inner);
    const auto matrix = [&](const Term& term, const Labels& order, const Dim& high,
                            const Dim& wide) {
      Dims dims = batch;
      dims.insert(dims.end(), {high, wide});
      return reshaped(context_, in_order(term, order), dims, "matrix");
    };
    const ValueId left = matrix(a, joined({&s.batch, &s.rows, &s.inner}), rows, inner);
    const ValueId right = matrix(b, joined({&s.batch, &s.inner, &s.columns}), inner, columns);
    Dims dims = batch;
    dims.insert(dims.end(), {rows, columns});
    const ValueId y = context_.add_between("product", type_, dims);
    context_.add_node(Op::kMatMul, {left, right}, {y}, MatMulAttributes{1.0f, 1.0f, {}});
    const Labels labels = joined({&s.batch, &s.rows, &s.columns});
    return {reshaped(context_, y, dims_of(labels), "contracted"), labels};
  }

  Term by_sums(const Term& a, const Term& b, const Split& s) {
    const Labels all = joined({&s.batch, &s.rows, &s.columns, &s.inner});
    // A dim of 1 for each label that the term lacks.
    const auto spread = [&](const Term& term) {
      Labels own;
      Dims dims;
      for (const Label label : all) {
        const bool has = holds(term.labels, label);
        if (has) own.push_back(label);
        dims.push_back(has ? sizes_.at(label) : Dim(1));
      }
      return reshaped(context_, in_order(term, own), dims, "spread");
    };
    const ValueId left = spread(a), right = spread(b);
    const ValueId y = context_.add_between("products", type_, dims_of(all));
    context_.add_node(Op::kMul, {left, right}, {y}, BinaryAttributes{});
    return sum_over({y, all}, {s.inner.begin(), s.inner.end()});
  }

  void finish(const Term& term) {
    Labels kept;
    for (const Label label : result_) {
      if (holds(term.labels, label)) kept.push_back(label);
    }
    // The others are 1 in all operands.
    reshape_to_output(context_, in_order(term, kept), dims_of(result_));
  }

  OpContext& context_;
  DType type_ = DType::kNone;
  std::vector<Term> terms_;
  Labels result_;
  std::map<Label, Dim> sizes_;
  std::map<Label, size_t> uses_;
  size_t ellipsis_ = 0;
};

}  // namespace

void import_einsum(OpContext& context) { Einsum(context).run(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
