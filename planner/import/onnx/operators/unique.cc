// Imports Unique: rows in order, the first of each kind, and which kind each row is of.
//
// Rows are sorted by their numbers from the last one to the first; each sort keeps the order of
// equal rows. A row that differs from the one before it begins a kind.
#include <algorithm>
#include <numeric>

#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// A sort for each number of a row.
constexpr int64_t kMostNumbers = 256;
constexpr uint64_t kNodesOfNumber = 6;

class UniqueRows {
 public:
  // x [rows, numbers].
  UniqueRows(OpContext& context, ValueId x)
      : context_(context),
        steps_(context),
        x_(x),
        rows_(context.dims(x)[0]),
        numbers_(bound(context.dims(x)[1])) {}

  void run(bool sorted) {
    order_ = sorted_places();
    const ValueId starts = begins_of_kinds();
    const ValueId flat = steps_.cast(starts, DType::kInt64);
    // Of each row in order the kind, counted from 0.
    const ValueId kinds = steps_.binary(Op::kSub, cum_sum(flat), one());
    kind_of_row_ = scattered(kinds);
    const ValueId places = places_of_true(context_, starts);
    kinds_ = context_.dims(places)[0];
    first_ = steps_.gather(order_, places, 0);
    count_ = counts(kinds);
    if (!sorted) by_appearance();
  }

  ValueId first() const { return first_; }              // the place of the first row of a kind
  ValueId kind_of_row() const { return kind_of_row_; }  // of each row
  ValueId count() const { return count_; }              // rows of a kind

 private:
  ValueId one() { return steps_.scalar(DType::kInt64, 1); }

  // The places of the least numbers, in order.
  ValueId top_k(ValueId x, const Dim& rows) {
    const ValueId values = context_.add_between("sorted", context_.dtype(x), {bound(rows)});
    const ValueId places = context_.add_between("places", DType::kInt64, {rows});
    context_.add_node(Op::kTopK, {x}, {values, places}, TopKAttributes{0, 1});
    return places;
  }

  ValueId cum_sum(ValueId x) {
    const ValueId y = context_.add_between("sums", context_.dtype(x), context_.dims(x));
    context_.add_node(Op::kCumSum, {x}, {y}, CumSumAttributes{0, 0, 0});
    return y;
  }

  ValueId number(ValueId rows, int64_t i) {
    return steps_.reshape(steps_.slice(rows, 1, i, 1), {rows_});
  }

  ValueId sorted_places() {
    ValueId order = kNoValue;
    for (int64_t i = numbers_; i-- > 0;) {
      ValueId key = number(x_, i);
      if (order != kNoValue) key = steps_.gather(key, order, 0);
      const ValueId places = top_k(key, rows_);
      order = order == kNoValue ? places : steps_.gather(order, places, 0);
    }
    return order;
  }

  ValueId begins_of_kinds() {
    const ValueId rows = steps_.gather(x_, order_, 0);
    const Dim others = rows_ - 1;
    const ValueId begin = context_.add_constant("first", DType::kBool, {1}, {std::byte{1}});
    if (always(others == 0)) return begin;
    const ValueId same = steps_.compare(Op::kEqual, steps_.slice(rows, 0, 0, others),
                                        steps_.slice(rows, 0, 1, others));
    ValueId all = steps_.reshape(steps_.slice(same, 1, 0, 1), {others});
    for (int64_t i = 1; i < numbers_; ++i) {
      all = steps_.binary(Op::kLogicalAnd, all,
                          steps_.reshape(steps_.slice(same, 1, i, 1), {others}));
    }
    return steps_.concat({begin, steps_.unary(Op::kLogicalNot, all)}, 0);
  }

  ValueId zeros() {
    steps_.expect_room({static_cast<uint64_t>(bound(rows_)), 2 * sizeof(int64_t)});
    return steps_.constant({rows_}, std::vector<int64_t>(static_cast<size_t>(bound(rows_)), 0));
  }

  // To the rows' own places.
  ValueId scattered(ValueId kinds) {
    const ValueId y = context_.add_between("kinds", DType::kInt64, {rows_});
    context_.add_node(Op::kScatterElements, {zeros(), order_, kinds}, {y},
                      IndexedAttributes{0, 0, 0});
    return y;
  }

  // So many rows as each kind has.
  ValueId counts(ValueId kinds) {
    const ValueId sums = context_.add_between("sizes", DType::kInt64, {rows_});
    context_.add_node(Op::kScatterElements, {zeros(), kinds, steps_.expand(one(), {rows_})}, {sums},
                      IndexedAttributes{0, 0, static_cast<uint32_t>(IndexedReduction::kAdd)});
    return steps_.slice(sums, 0, 0, kinds_);
  }

  // Kinds in the order in which they first appear, not by their numbers.
  void by_appearance() {
    const ValueId last = filled(context_, first_, static_cast<double>(bound(rows_)));
    const ValueId order = top_k(last, kinds_);
    first_ = steps_.gather(first_, order, 0);
    count_ = steps_.gather(count_, order, 0);
    // The place of each kind in that order, which has those behind the last one too.
    context_.set_filled(order);
    kind_of_row_ = steps_.gather(top_k(order, bound(kinds_)), kind_of_row_, 0);
  }

  OpContext& context_;
  Steps steps_;
  ValueId x_;
  Dim rows_;
  int64_t numbers_;
  ValueId order_ = kNoValue, first_ = kNoValue, kind_of_row_ = kNoValue, count_ = kNoValue;
  Dim kinds_;
};

}  // namespace

void import_unique(OpContext& context) {
  context.expect_operands(1, 1, 4);
  Steps steps(context);
  const ValueId given = context.input(0);
  const bool sorted = context.flag_attribute("sorted", true);
  const Dims dims = context.dims(given);
  // The axis goes first.
  std::vector<uint32_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::optional<int64_t> along = context.find_int("axis");
  uint32_t axis = 0;
  ValueId x = given;
  if (along) {
    axis = context.axis(*along, dims.size(), "axis");
    std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
    if (axis != 0) x = steps.transpose(x, order);
  } else {
    x = steps.reshape(x, {product(dims)});
  }
  Dims moved = context.dims(x);
  const Dim rows = moved[0];
  const Dim numbers = product(moved) / max(rows, 1);
  if (numbers > kMostNumbers) {
    context.unsupported("of rows of " + dim_text(numbers) + " numbers is not supported",
                        "rows of up to " + std::to_string(kMostNumbers));
  }
  context.count_nodes(kNodesOfNumber * static_cast<uint64_t>(bound(numbers)));
  // Order is a matter of numbers.
  const ValueId keys = context.dtype(x) == DType::kBool ? steps.cast(x, DType::kUint8) : x;
  UniqueRows unique(context, steps.reshape(keys, {rows, numbers}));
  unique.run(sorted);
  moved[0] = context.dims(unique.first())[0];
  if (axis == 0) {
    const ValueId y = context.add_output(0, context.dtype(x), moved);
    context.add_node(Op::kGather, {x, unique.first()}, {y}, GatherAttributes{0});
  } else {
    const ValueId picked = steps.gather(x, unique.first(), 0);
    std::vector<uint32_t> back(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) back[order[i]] = i;
    Dims y_dims = dims;
    y_dims[axis] = moved[0];
    const ValueId y = context.add_output(0, context.dtype(x), y_dims);
    context.add_node(Op::kTranspose, {picked}, {y}, back);
  }
  const ValueId others[] = {unique.first(), unique.kind_of_row(), unique.count()};
  for (size_t i = 0; i < 3; ++i) {
    if (context.wants_output(i + 1)) copy_to_output(context, i + 1, others[i]);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
