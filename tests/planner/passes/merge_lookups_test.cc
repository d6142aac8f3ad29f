// Tests that integer steps which are a function of one value of 8 bits become one table, with the
// results that the steps have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "planner/graph/interpret.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/numbers.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/integers/steps.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

constexpr uint32_t kPlaces = 256;

int least_of(DType type) { return range_of(type).low; }

// A graph of integers of one type, whose scales are powers of 2: a product's exact number is known.
class Steps {
 public:
  explicit Steps(DType type, Dims dims = {2, 128}) : type_(type), dims_(std::move(dims)) {}

  ValueId input(const std::string& name) {
    graph_.inputs.push_back(value(name));
    return graph_.inputs.back();
  }
  ValueId constant(const Dims& dims, std::vector<int64_t> elements) {
    return quantize::add_integers(graph_, "constant", type_, dims, elements);
  }
  void output(ValueId id) { graph_.outputs.push_back(id); }

  // The integers that a function gives for those of the type.
  ValueId lookup(ValueId x, const std::function<int(int)>& function) {
    std::vector<int64_t> elements;
    const IntegerRange range = range_of(type_);
    for (int i = range.low; i <= range.high; ++i) elements.push_back(function(i));
    return add(Op::kLookup, {x, quantize::add_integers(graph_, "table", type_, elements)});
  }
  ValueId product(ValueId a, ValueId b) {
    return add(Op::kQuantizedMul, {a, b}, quantize::mul_attributes(wanted(), scaled(), scaled()));
  }
  ValueId sum(ValueId a, ValueId b, SumKind kind = SumKind::kSum) {
    return add(Op::kQuantizedAdd, {a, b},
               quantize::add_attributes(wanted(), scaled(), scaled(), kind).value());
  }
  ValueId copy(ValueId x) { return add(Op::kCopy, {x}); }
  // Gives numbers of another type.
  ValueId requantize(ValueId x, const Scaled& from, const Scaled& to) {
    const ValueId y = add(Op::kRequantize, {x}, requantize_attributes({to}, from));
    graph_.values[y].dtype = to.dtype;
    return y;
  }

  // 2^-4 times integers, less a zero point that products of int16 have not.
  Scaled scaled() const {
    const int zero = type_ == DType::kInt16 ? 0 : least_of(type_) + 131;
    return {type_, 0.0625f, zero};
  }
  Wanted wanted() const { return {scaled()}; }

  Graph& graph() { return graph_; }

  // The operators once merged. All outputs have the elements that they had before, of all integers
  // of 8 bits.
  std::vector<Op> merged() {
    std::vector<std::vector<std::byte>> inputs;
    for (const ValueId id : graph_.inputs) {
      const Value& input = graph_.values[id];
      std::vector<std::byte>& bytes = inputs.emplace_back(input.dense_bytes());
      // Each input has another order of them.
      for (size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i * (2 * inputs.size() - 1));
      }
    }
    const auto before = interpret(graph_, inputs);
    quantize::merge_lookups(graph_);
    EXPECT_EQ(interpret(graph_, inputs), before);
    std::vector<Op> ops;
    for (const Node& node : graph_.nodes) ops.push_back(node.op);
    return ops;
  }
  // The elements of the last node's table.
  std::vector<int32_t> table() const {
    return quantize::integer_elements(graph_.values[graph_.nodes.back().inputs.at(1)]);
  }

 private:
  ValueId value(const std::string& name) { return add_value(graph_, name, type_, dims_); }

  ValueId add(Op op, const std::vector<ValueId>& inputs) {
    const ValueId y = value("y");
    graph_.nodes.push_back({op, inputs, {y}, {}, {"node " + std::to_string(graph_.nodes.size())}});
    return y;
  }
  template <typename Attributes>
  ValueId add(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes) {
    const ValueId y = add(op, inputs);
    graph_.nodes.back().set_attributes(attributes);
    return y;
  }

  DType type_;
  Dims dims_;
  Graph graph_;
};

int half_of(int x) { return x / 2; }
int reversed(int x) { return 127 - std::abs(x) / 2; }

TEST(MergeLookups, ProductOfAValueAndItsFunction) {
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const bool is_first : {false, true}) {
      Steps steps(type);
      const ValueId x = steps.input("x");
      const ValueId f = steps.lookup(x, reversed);
      steps.output(is_first ? steps.product(x, f) : steps.product(f, x));
      EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
      const Node& node = steps.graph().nodes[0];
      EXPECT_EQ(node.inputs[0], x);
      EXPECT_THAT(node.outputs, ElementsAre(steps.graph().outputs[0]));
      EXPECT_THAT(node.sources, ElementsAre("node 0", "node 1"));
      // The product in numbers, rounded once.
      const IntegerRange range = range_of(type);
      const int zero = steps.scaled().zero_point;
      std::vector<int32_t> expected;
      for (int i = range.low; i <= range.high; ++i) {
        const double number = (i - zero) * (reversed(i) - zero) / 16.0;
        const int rounded = static_cast<int>(std::nearbyint(number)) + zero;
        expected.push_back(std::clamp(rounded, range.low, range.high));
      }
      EXPECT_EQ(steps.table(), expected);
    }
  }
}

TEST(MergeLookups, SumsAndDifferences) {
  for (const SumKind kind : {SumKind::kSum, SumKind::kDifference}) {
    Steps steps(DType::kInt8);
    const ValueId x = steps.input("x");
    const ValueId f = steps.lookup(x, half_of);
    steps.output(steps.sum(x, f, kind));
    EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
    EXPECT_EQ(steps.table().size(), kPlaces);
  }
}

TEST(MergeLookups, TablesOfTables) {
  Steps steps(DType::kUint8);
  const ValueId x = steps.input("x");
  const auto next = [](int i) { return (i + 1) % 256; };
  steps.output(steps.lookup(steps.lookup(steps.lookup(x, next), next), next));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
  std::vector<int32_t> expected;
  for (int i = 0; i < 256; ++i) expected.push_back((i + 3) % 256);
  EXPECT_EQ(steps.table(), expected);
}

// The value of the product's table is the result of a table, too.
TEST(MergeLookups, ChainsBecomeOneTable) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x"), one = steps.constant({1, 1}, {16});
  const ValueId a = steps.lookup(x, reversed);
  const ValueId b = steps.product(a, steps.lookup(a, half_of));
  const ValueId c = steps.sum(b, one);
  steps.output(steps.product(c, c));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
  EXPECT_EQ(steps.graph().nodes[0].inputs[0], x);
  EXPECT_EQ(steps.graph().nodes[0].sources.size(), 5u);
}

TEST(MergeLookups, TwoFunctionsOfOneValue) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x");
  const ValueId f = steps.lookup(x, half_of), g = steps.lookup(x, reversed);
  steps.output(steps.sum(f, g));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
}

TEST(MergeLookups, OthersMayReadTheValueItself) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x"), z = steps.input("z");
  const ValueId a = steps.product(x, z);
  const ValueId f = steps.lookup(a, half_of);
  steps.output(steps.product(f, a));
  steps.output(steps.sum(a, z));
  steps.output(a);
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kQuantizedMul, Op::kLookup, Op::kQuantizedAdd));
}

// Only what the first step takes has to have 8 bits.
TEST(MergeLookups, IntegersOf16BitsBetween) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x");
  const Scaled wide = {DType::kInt16, 0.0078125f, 0};
  const ValueId between = steps.requantize(x, steps.scaled(), wide);
  steps.output(steps.requantize(between, wide, {DType::kUint8, 0.125f, 100}));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup));
  std::vector<int32_t> expected;
  for (int i = -128; i < 128; ++i) {
    const int rounded = static_cast<int>(std::nearbyint((i - steps.scaled().zero_point) / 2.0));
    expected.push_back(std::clamp(rounded + 100, 0, 255));
  }
  EXPECT_EQ(steps.table(), expected);
}

TEST(MergeLookups, ResultsThatOthersReadStay) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x"), z = steps.input("z");
  const ValueId f = steps.lookup(x, half_of);
  steps.output(steps.product(x, f));
  steps.output(steps.sum(f, z));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul, Op::kQuantizedAdd));
}

TEST(MergeLookups, OutputsStay) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x");
  const ValueId f = steps.lookup(x, half_of);
  steps.output(steps.product(x, f));
  steps.output(f);
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));
}

TEST(MergeLookups, AnotherValueIsNoFunction) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x"), z = steps.input("z");
  steps.output(steps.product(z, steps.lookup(x, half_of)));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));

  Steps both(DType::kInt8);
  const ValueId a = both.input("a"), b = both.input("b");
  both.output(both.product(both.lookup(a, half_of), both.lookup(b, half_of)));
  EXPECT_THAT(both.merged(), ElementsAre(Op::kLookup, Op::kLookup, Op::kQuantizedMul));
}

TEST(MergeLookups, SixteenBitsHaveNoTable) {
  Steps steps(DType::kInt16, {2, 64});
  const ValueId x = steps.input("x");
  const ValueId f = steps.lookup(x, half_of);
  steps.output(steps.product(x, f));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));
}

TEST(MergeLookups, OtherDimsStay) {
  Steps steps(DType::kInt8, {1, 128});
  const ValueId x = steps.input("x");
  const ValueId f = steps.lookup(x, half_of);
  // A row of f is for all rows of the repeated value.
  const ValueId wide = steps.constant({3, 128}, std::vector<int64_t>(3 * 128, 16));
  const ValueId y = steps.product(f, wide);
  steps.graph().values[y].dims = {3, 128};
  steps.output(y);
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));

  // A gate: one number for each row.
  Steps gated(DType::kInt8, {2, 1});
  const ValueId gate = gated.input("gate");
  const ValueId g = gated.lookup(gate, half_of);
  const ValueId rows = gated.input("rows");
  gated.graph().values[rows].dims = {2, 64};
  const ValueId z = gated.product(rows, g);
  gated.graph().values[z].dims = {2, 64};
  gated.output(z);
  EXPECT_THAT(gated.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));
}

TEST(MergeLookups, FactorsAChannelStay) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x");
  const ValueId f = steps.lookup(x, half_of);
  steps.output(steps.product(f, steps.constant({2, 1}, {16, 32})));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kQuantizedMul));
}

TEST(MergeLookups, OtherStepsStay) {
  Steps steps(DType::kInt8);
  const ValueId x = steps.input("x");
  steps.output(steps.product(x, steps.copy(steps.lookup(x, half_of))));
  EXPECT_THAT(steps.merged(), ElementsAre(Op::kLookup, Op::kCopy, Op::kQuantizedMul));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
