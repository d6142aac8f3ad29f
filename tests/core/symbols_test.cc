// Symbols: a program planned for the most gives for fewer what one planned for those gives, and no
// table lets it touch what is not its own.
#include "core/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>

#include "core/instance.h"
#include "portable_fallback/forms.h"
#include "tests/core/expect_error.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ExpressionKind;
using format::ExpressionRecord;
using format::PatchRecord;
using format::PatchTarget;
using planner::ProgramTables;

class SymbolMachine : public Machine {
 public:
  explicit SymbolMachine(const ProgramTables& tables) : Machine(planner::write_program(tables)) {
    options.ops = all_ops();
    options.symbols = &kSymbols;
  }

  Status set(uint32_t n, uint32_t k) { return instance.set_symbols(std::array{n, k}); }
  Status set_shape(uint32_t n, uint32_t k) { return instance.set_shape(0, std::array{n, k}); }

  std::vector<uint32_t> dims(const Tensor& tensor) const {
    return {tensor.dims, tensor.dims + tensor.rank()};
  }

  // Runs on 1, 2, 3...; the numbers of all outputs, one behind the other.
  std::vector<float> outputs(bool must_run = true) {
    std::vector<float> numbers(instance.input(0).size() / 4);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i + 1);
    fill(instance.input(0), numbers);
    EXPECT_TRUE(instance.run().ok() || !must_run);
    std::vector<float> all;
    for (uint32_t i = 0; i < 3; ++i) {
      const std::vector<float> output = floats(instance.output(i));
      all.insert(all.end(), output.begin(), output.end());
    }
    return all;
  }
};

std::vector<float> outputs_of_fixed(uint32_t n, uint32_t k) {
  SymbolMachine machine(fixed_rows({n, k}));
  EXPECT_TRUE(machine.load().ok());
  return machine.outputs();
}

void expect_rows(SymbolMachine& machine, uint32_t n, uint32_t k) {
  EXPECT_EQ(machine.instance.symbol(0), n);
  EXPECT_EQ(machine.instance.symbol(1), k);
  EXPECT_EQ(machine.dims(machine.instance.input_tensor(0)), (std::vector{n, k}));
  EXPECT_EQ(machine.dims(machine.instance.output_tensor(0)), (std::vector{2 * n, k}));
  EXPECT_EQ(machine.dims(machine.instance.output_tensor(2)), (std::vector{1u, k}));
  EXPECT_EQ(machine.outputs(), outputs_of_fixed(n, k));
}

TEST(Symbols, AnyNumbersGiveWhatAPlanForThemGives) {
  SymbolMachine machine(symbolic_rows());
  ASSERT_TRUE(machine.load().ok());
  expect_rows(machine, Rows::kRowsMost, Rows::kColumnsMost);
  for (uint32_t n = 1; n <= Rows::kRowsMost; ++n) {
    for (uint32_t k = 1; k <= Rows::kColumnsMost; ++k) {
      ASSERT_TRUE(machine.set(n, k).ok());
      expect_rows(machine, n, k);
    }
  }
  ASSERT_TRUE(machine.set(Rows::kRowsMost, Rows::kColumnsMost).ok());
  expect_rows(machine, Rows::kRowsMost, Rows::kColumnsMost);
}

TEST(Symbols, FollowFromTheShapeOfAnInput) {
  SymbolMachine machine(symbolic_rows());
  expect_error(machine.set_shape(2, 2), Code::kNotLoaded);
  EXPECT_EQ(machine.instance.symbol(0), 0u);
  ASSERT_TRUE(machine.load().ok());
  ASSERT_TRUE(machine.set_shape(2, 3).ok());
  expect_rows(machine, 2, 3);
  ASSERT_TRUE(machine.set_shape(3, 1).ok());
  expect_rows(machine, 3, 1);
  expect_error(machine.set_shape(5, 1), Code::kSymbolOutOfRange, 0);
  expect_error(machine.set_shape(3, 0), Code::kSymbolOutOfRange, 1);
  expect_error(machine.instance.set_shape(1, std::array{3u, 1u}), Code::kBadIndex, 1);
  expect_error(machine.instance.set_shape(0, std::array{3u}), Code::kBadShape, 1);
  expect_error(machine.instance.set_shape(0, std::array{3u, 1u, 1u}), Code::kBadShape, 2);
  expect_rows(machine, 3, 1);
}

TEST(Symbols, DimsThatNoneIsAreToBeWhatFollows) {
  ProgramTables tables = symbolic_rows();
  // One symbol is both dims; the other is not to be seen.
  for (PatchRecord& patch : tables.patches) {
    if (patch.target == 0 && patch.index == tables.values[Rows::kX].shape + 1) patch.expression = 0;
  }
  // The most of each would differ: 4 and 3.
  tables.symbols[0].most = tables.symbols[1].most;
  SymbolMachine wrong(tables);
  EXPECT_EQ(wrong.load().code, Code::kBadExpression);

  tables = fixed_rows({3, 3});
  tables.symbols = {{0, 0, 0, 1, 3}, {0, 0, 0, 1, 3}};
  tables.expressions = {{1, 0, 0}, {0, 3, 0}};
  // Rows alone, and a dim that is always 3.
  tables.patches = {{0, tables.values[Rows::kX].shape, 0},
                    {0, tables.values[Rows::kX].shape + 1, 1}};
  tables.symbolic_variants = {{0, 0, 2, 0, 2, static_cast<uint32_t>(tables.shapes.size()), 0}};
  tables.required_features |= format::kDimsFeature;
  SymbolMachine machine(tables);
  ASSERT_TRUE(machine.load().ok());
  expect_error(machine.set_shape(3, 2), Code::kBadShape, 1);
  // The others do not follow.
  EXPECT_EQ(machine.set_shape(2, 3).code, Code::kBadShape);
  expect_error(machine.set_shape(2, 2), Code::kBadShape, 1);
  EXPECT_EQ(machine.dims(machine.instance.input_tensor(0)), (std::vector{3u, 3u}));
  EXPECT_EQ(machine.instance.symbol(0), 3u);
  EXPECT_EQ(machine.outputs(), outputs_of_fixed(3, 3));
}

TEST(Symbols, RefusedNumbersChangeNothing) {
  SymbolMachine machine(symbolic_rows());
  expect_error(machine.set(1, 1), Code::kNotLoaded);
  ASSERT_TRUE(machine.load().ok());
  ASSERT_TRUE(machine.set(2, 2).ok());
  expect_error(machine.set(0, 2), Code::kSymbolOutOfRange, 0);
  expect_error(machine.set(2, 4), Code::kSymbolOutOfRange, 1);
  expect_error(machine.instance.set_symbols(std::array{2u}), Code::kBadIndex);
  expect_error(machine.instance.set_symbols(std::array{2u, 2u, 2u}), Code::kBadIndex);
  EXPECT_EQ(machine.instance.symbol(2), 0u);
  expect_rows(machine, 2, 2);
}

// x [n] -> y [n] = x + x on a device, of n from 1 to 4.
ProgramTables sums_on_a_device() {
  using format::ArenaKind;
  using format::Where;
  constexpr uint32_t kMost = 4;
  ProgramBuilder b;
  b.method("twice", 1, 1);
  b.variant("board");
  std::vector<uint32_t> values;
  for (const ArenaKind kind :
       {ArenaKind::kUpload, ArenaKind::kDevice, ArenaKind::kDevice, ArenaKind::kReadback}) {
    const auto step = static_cast<uint32_t>(values.size());
    values.push_back(b.value({.dims = {kMost},
                              .place = b.arena(kind, 4 * kMost),
                              .first_step = step == 0 ? 0 : step - 1,
                              .last_step = std::min(step, 2u)}));
  }
  const auto transfer = [&](uint32_t from, uint32_t to) {
    b.step({.op = Op::kCopy, .where = Where::kTransfer, .inputs = {from}, .outputs = {to}});
  };
  transfer(values[0], values[1]);
  b.step({.op = Op::kAdd,
          .where = Where::kVulkan,
          .inputs = {values[1], values[1]},
          .outputs = {values[2]},
          .attributes = words_of(BinaryAttributes{})});
  transfer(values[2], values[3]);
  b.io({values[0], values[3]});
  ProgramTables tables = b.tables();
  tables.symbols = {{0, 0, 0, 1, kMost}};
  tables.expressions = {{static_cast<uint32_t>(ExpressionKind::kSymbol), 0, 0}};
  for (const format::ValueRecord& value : tables.values) {
    tables.patches.push_back({static_cast<uint32_t>(PatchTarget::kShape), value.shape, 0});
  }
  tables.symbolic_variants = {{0, 0, 1, 0, static_cast<uint32_t>(tables.patches.size()),
                               static_cast<uint32_t>(tables.shapes.size()), 0}};
  tables.required_features |= format::kDimsFeature;
  return tables;
}

TEST(Symbols, ABackendFollows) {
  using Events = std::vector<std::string>;
  SymbolMachine machine(sums_on_a_device());
  const auto set = [&](uint32_t n) { return machine.instance.set_symbols(std::array{n}); };
  const auto expect_sums = [&](uint32_t n) {
    EXPECT_EQ(machine.instance.symbol(0), n);
    std::vector<float> x(n), y(n);
    for (uint32_t i = 0; i < n; ++i) y[i] = 2 * (x[i] = static_cast<float>(i + 1));
    fill(machine.instance.input(0), x);
    ASSERT_TRUE(machine.instance.run().ok());
    EXPECT_EQ(floats(machine.instance.output(0)), y);
  };
  const Status loaded = machine.load();
  ASSERT_TRUE(loaded.ok()) << text_of(loaded.code);
  expect_sums(4);
  machine.device.events.clear();
  ASSERT_TRUE(set(3).ok());
  ASSERT_TRUE(set(3).ok());  // as they are
  EXPECT_EQ(machine.device.events, Events({"resize"}));
  expect_sums(3);

  // It goes back where the backend cannot follow, and is told of that too.
  machine.device.events.clear();
  machine.device.resize_status = error(Code::kDeviceMemory, 7);
  expect_error(set(2), Code::kDeviceMemory, 7);
  EXPECT_EQ(machine.device.events, Events({"resize", "resize"}));
  expect_sums(3);
  // It is not asked for what is refused without it.
  machine.device.events.clear();
  expect_error(set(5), Code::kSymbolOutOfRange, 0);
  EXPECT_EQ(machine.device.events, Events());
}

TEST(Symbols, ARunUnderWayIsOver) {
  SymbolMachine machine(symbolic_rows());
  ASSERT_TRUE(machine.load().ok());
  ASSERT_TRUE(machine.instance.run_steps(2).ok());
  EXPECT_EQ(machine.instance.next_step(), 2u);
  // These are set already.
  ASSERT_TRUE(machine.set(Rows::kRowsMost, Rows::kColumnsMost).ok());
  EXPECT_EQ(machine.instance.next_step(), 2u);
  ASSERT_TRUE(machine.set(1, 1).ok());
  EXPECT_EQ(machine.instance.next_step(), 0u);
}

TEST(Symbols, AreRefusedWhereNobodyReadsThem) {
  SymbolMachine machine(symbolic_rows());
  machine.options.symbols = nullptr;
  expect_error(machine.load(), Code::kUnsupported);
}

TEST(Symbols, AProgramWithoutAnyHasNoneToSet) {
  SymbolMachine machine(fixed_rows({2, 2}));
  ASSERT_TRUE(machine.load().ok());
  EXPECT_TRUE(machine.options.frame.empty());
  EXPECT_TRUE(machine.instance.set_symbols({}).ok());
  expect_error(machine.set(1, 1), Code::kBadIndex);
  EXPECT_TRUE(machine.set_shape(2, 2).ok());
  expect_error(machine.set_shape(2, 1), Code::kBadShape, 1);
  EXPECT_EQ(machine.instance.symbol(0), 0u);
}

// The others of the method follow from symbols.
TEST(Symbols, AVariantThatFollowsFromNoneStaysAsItIs) {
  ProgramTables tables = symbolic_rows();
  tables.symbolic_variants.clear();
  tables.required_features = 0;
  SymbolMachine machine(tables);
  ASSERT_TRUE(machine.load().ok());
  EXPECT_EQ(machine.instance.symbol(0), Rows::kRowsMost);
  EXPECT_TRUE(machine.set(Rows::kRowsMost, Rows::kColumnsMost).ok());
  expect_error(machine.set(1, 1), Code::kUnsupported);
}

TEST(Symbols, ABackendThatDoesNotFollowKeepsThem) {
  ProgramTables tables = symbolic_rows();
  tables.arenas.push_back(tables.arenas[0]);
  tables.arenas[1].kind = static_cast<uint32_t>(format::ArenaKind::kReadback);
  ++tables.variants[0].arena_count;
  SymbolMachine machine(tables);
  Backend fixed = machine.device.backend();
  fixed.resize = nullptr;
  machine.options.backend = &fixed;
  ASSERT_TRUE(machine.load().ok());
  ASSERT_EQ(machine.device.events, (std::vector<std::string>{"attach"}));
  expect_error(machine.set(1, 1), Code::kUnsupported);
  expect_rows(machine, Rows::kRowsMost, Rows::kColumnsMost);
}

TEST(Symbols, TheFrameHoldsWhatFollows) {
  const ProgramTables tables = symbolic_rows();
  SymbolMachine machine(tables);
  const size_t words = 2 * tables.symbols.size() + tables.expressions.size() +
                       tables.shapes.size() + tables.attributes.size() + 8 * tables.values.size();
  EXPECT_EQ(frame_words(machine.program, 0), words);
  EXPECT_EQ(frame_words(machine.program, 1), 0u);
  ASSERT_TRUE(machine.load().ok());
  LoadOptions less = machine.options;
  less.frame = less.frame.first(words - 1);
  expect_error(machine.instance.load(machine.program, less), Code::kArenaTooSmall);
  EXPECT_FALSE(machine.instance.loaded());
  EXPECT_EQ(machine.instance.symbol(0), 0u);

  ProgramTables fewer = tables;
  fewer.patches = {{0, tables.values[Rows::kX].shape, 0}};
  fewer.symbolic_variants[0].patch_count = 1;
  fewer.symbolic_variants[0].attribute_words = 0;
  EXPECT_EQ(frame_words(SymbolMachine(fewer).program, 0),
            2 * tables.symbols.size() + tables.expressions.size() + tables.shapes.size());
}

TEST(Symbols, ABelievedProgramIsNotProved) {
  ProgramTables tables = symbolic_rows();
  SymbolMachine open(tables);
  open.options.verification = nullptr;
  ASSERT_TRUE(open.load().ok());
  expect_error(open.set(2, 1), Code::kUnsupported);  // no other form can be chosen
  tables.variants[0].flags |= format::kExactForms;
  SymbolMachine machine(tables);
  machine.options.verification = nullptr;
  ASSERT_TRUE(machine.load().ok());
  ASSERT_TRUE(machine.set(2, 1).ok());
  expect_rows(machine, 2, 1);
  expect_error(machine.set(2, 0), Code::kSymbolOutOfRange, 1);
  ASSERT_TRUE(machine.set_shape(3, 3).ok());
  expect_rows(machine, 3, 3);
}

// x and y = x + x of one dim, which is an expression of n and m, 1 to 8 each; both own 256 bytes.
// `most`: the dim for 8 and 8.
ProgramTables one_dim(const std::vector<ExpressionRecord>& expressions, uint32_t most) {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 512);
  const uint32_t x = b.value({.dims = {most}, .bytes = 256});
  const uint32_t y = b.value({.dims = {most}, .offset = 256, .bytes = 256});
  b.step({.inputs = {x, x}, .outputs = {y}, .attributes = words_of(BinaryAttributes{})});
  b.io({x, y});
  ProgramTables tables = b.tables();
  tables.expressions = expressions;
  const auto last = static_cast<uint32_t>(expressions.size()) - 1;
  tables.patches = {{0, tables.values[x].shape, last}, {0, tables.values[y].shape, last}};
  tables.symbols = {{0, 0, 0, 1, 8}, {0, 0, 0, 1, 8}};
  tables.symbolic_variants = {
      {0, 0, last + 1, 0, 2, static_cast<uint32_t>(tables.shapes.size()), 0}};
  tables.required_features |= format::kDimsFeature;
  return tables;
}

constexpr uint32_t number(ExpressionKind kind) { return static_cast<uint32_t>(kind); }
constexpr uint32_t kConstant = number(ExpressionKind::kConstant);
constexpr uint32_t kSymbol = number(ExpressionKind::kSymbol);

TEST(Symbols, EachKindOfExpressionHasItsResult) {
  struct Case {
    ExpressionKind kind;
    std::function<int64_t(int64_t, int64_t)> result;  // negative: none
  };
  // On n + 5 and m - 1, so that both may be 0 or the less.
  const std::vector<Case> cases = {
      {ExpressionKind::kAdd, [](int64_t a, int64_t b) { return a + b; }},
      {ExpressionKind::kSubtract, [](int64_t a, int64_t b) { return a - b; }},
      {ExpressionKind::kMultiply, [](int64_t a, int64_t b) { return a * b; }},
      {ExpressionKind::kDivide, [](int64_t a, int64_t b) { return b == 0 ? -1 : a / b; }},
      {ExpressionKind::kCeilDivide,
       [](int64_t a, int64_t b) { return b == 0 ? -1 : (a + b - 1) / b; }},
      {ExpressionKind::kMaximum, [](int64_t a, int64_t b) { return std::max(a, b); }},
      {ExpressionKind::kMinimum, [](int64_t a, int64_t b) { return std::min(a, b); }},
  };
  for (const Case& c : cases) {
    for (const bool turned : {false, true}) {
      // 0: n, 1: m, 2: 1, 3: n - 1, 4: 2, 5: ceil(m / 2)
      const uint32_t a = turned ? 5 : 3, b = turned ? 3 : 5;
      const auto expected = [&](uint32_t n, uint32_t m) {
        const int64_t first = n - 1, second = (m + 1) / 2;
        return turned ? c.result(second, first) : c.result(first, second);
      };
      // For the most there has to be a result.
      const bool none = expected(8, 8) < 0;
      const uint32_t most = none ? 0 : static_cast<uint32_t>(expected(8, 8));
      SymbolMachine machine(one_dim({{kSymbol, 0, 0},
                                     {kSymbol, 1, 0},
                                     {kConstant, 1, 0},
                                     {number(ExpressionKind::kSubtract), 0, 2},
                                     {kConstant, 2, 0},
                                     {number(ExpressionKind::kCeilDivide), 1, 4},
                                     {number(c.kind), a, b}},
                                    most));
      if (none) {
        expect_error(machine.load(), Code::kBadExpression, 6);
        continue;
      }
      ASSERT_TRUE(machine.load().ok());
      uint32_t now = most;
      for (uint32_t n = 8; n > 0; --n) {
        for (uint32_t m = 8; m > 0; --m) {
          const int64_t dim = expected(n, m);
          const Status status = machine.set(n, m);
          if (dim < 0) {
            expect_error(status, Code::kBadExpression, 6);
          } else {
            ASSERT_TRUE(status.ok()) << number(c.kind) << " of " << n << " and " << m;
            now = static_cast<uint32_t>(dim);
          }
          EXPECT_EQ(machine.instance.input_tensor(0).dims[0], now);
          EXPECT_EQ(machine.instance.output_tensor(0).dims[0], now);
        }
      }
    }
  }
}

TEST(Symbols, ResultsHaveThirtyOneBits) {
  // c * (8 - n), of a dim that is 0 for the most.
  const auto product = [](uint32_t c) {
    return one_dim({{kSymbol, 0, 0},
                    {kConstant, 8, 0},
                    {number(ExpressionKind::kSubtract), 1, 0},
                    {kConstant, c, 0},
                    {number(ExpressionKind::kMultiply), 3, 2}},
                   0);
  };
  SymbolMachine machine(product(1u << 30));
  ASSERT_TRUE(machine.load().ok());
  // A number, but of no value.
  expect_error(machine.set(7, 8), Code::kBadValue, 0);
  expect_error(machine.set(6, 8), Code::kBadExpression, 4);
  expect_error(machine.set(1, 8), Code::kBadExpression, 4);
  EXPECT_EQ(machine.instance.symbol(0), 8u);
  EXPECT_EQ(machine.instance.input_tensor(0).dims[0], 0u);
  // As many as its bytes hold, and one more.
  SymbolMachine full(product(64));
  ASSERT_TRUE(full.load().ok());
  EXPECT_TRUE(full.set(7, 8).ok());
  EXPECT_EQ(full.instance.input(0).size(), 256u);
  expect_error(full.set(6, 8), Code::kBadValue, 0);
  SymbolMachine beyond(product(65));
  ASSERT_TRUE(beyond.load().ok());
  expect_error(beyond.set(7, 8), Code::kBadValue, 0);

  EXPECT_TRUE(SymbolMachine(product(0x7fffffff)).load().ok());
  expect_error(SymbolMachine(product(0x80000000)).load(), Code::kBadExpression, 3);
  const auto sum = [](uint32_t c) {
    return one_dim({{kConstant, c, 0},
                    {kConstant, 0x7fffffff, 0},
                    {number(ExpressionKind::kAdd), 0, 1},
                    {kConstant, 3, 0}},
                   3);
  };
  EXPECT_TRUE(SymbolMachine(sum(0)).load().ok());
  expect_error(SymbolMachine(sum(1)).load(), Code::kBadExpression, 2);
  expect_error(SymbolMachine(sum(0x7fffffff)).load(), Code::kBadExpression, 2);
}

using Change = std::function<void(ProgramTables&)>;

void refused(const Change& change, Code code, uint32_t value = kNoIndex) {
  ProgramTables tables = symbolic_rows();
  change(tables);
  SymbolMachine machine(tables);
  expect_error(machine.load(), code, value);
  EXPECT_FALSE(machine.instance.loaded());
}

TEST(Symbols, TablesPointInsideAndRise) {
  using Tables = ProgramTables&;
  const auto expressions = static_cast<uint32_t>(symbolic_rows().expressions.size());
  const auto patches = static_cast<uint32_t>(symbolic_rows().patches.size());
  // The feature's bit.
  refused([](Tables t) { t.required_features = 0; }, Code::kBadValue);
  refused([](Tables t) { t.symbolic_variants.clear(); }, Code::kBadValue);
  // Symbols.
  refused([](Tables t) { t.symbols[1].method = 1; }, Code::kBadIndex, 1);
  refused([](Tables t) { t.symbols[1].name_bytes = 1u << 20; }, Code::kBadIndex, 1);
  refused([](Tables t) { t.symbols[1].name_offset = kNoIndex; }, Code::kBadIndex, 1);
  refused([](Tables t) { t.symbols[0].least = t.symbols[0].most + 1; }, Code::kBadValue, 0);
  refused([](Tables t) { t.symbols[1].most = 0x80000000; }, Code::kBadValue, 1);
  // One less has another most.
  refused([](Tables t) { t.symbols.pop_back(); }, Code::kBadIndex, 1);
  refused([](Tables t) { --t.symbols[0].most; }, Code::kBadExpression, 0);
  // Symbolic variants.
  refused([](Tables t) { t.symbolic_variants[0].variant = 1; }, Code::kBadIndex, 0);
  refused([](Tables t) { t.symbolic_variants.push_back(t.symbolic_variants[0]); }, Code::kBadIndex,
          1);
  refused([](Tables t) { ++t.symbolic_variants[0].expression_first; }, Code::kBadIndex, 0);
  refused([](Tables t) { ++t.symbolic_variants[0].expression_count; }, Code::kBadIndex, 0);
  refused([](Tables t) { ++t.symbolic_variants[0].patch_first; }, Code::kBadIndex, 0);
  refused([](Tables t) { t.symbolic_variants[0].patch_count = kNoIndex; }, Code::kBadIndex, 0);
  refused([](Tables t) { ++t.symbolic_variants[0].shape_words; }, Code::kBadIndex, 0);
  refused([](Tables t) { ++t.symbolic_variants[0].attribute_words; }, Code::kBadIndex, 0);
  // Shapes of values and constants, and attributes, behind the words that are copied.
  refused([](Tables t) { --t.symbolic_variants[0].attribute_words; }, Code::kBadIndex,
          symbolic_rows().steps[3].attribute_first);
  refused(
      [](Tables t) {
        --t.symbolic_variants[0].shape_words;
        t.patches.resize(1);
        t.symbolic_variants[0].patch_count = 1;
      },
      Code::kBadIndex, Rows::kLast);
  refused(
      [](Tables t) {
        t.constants[0].shape = static_cast<uint32_t>(t.shapes.size());
        t.shapes.insert(t.shapes.end(), {4, 3, 0, 1});
      },
      Code::kBadIndex, format::kConstantBit);
  // Expressions.
  refused([](Tables t) { t.expressions[0].kind = 9; }, Code::kBadValue, 0);
  refused([](Tables t) { t.expressions[0].b = 1; }, Code::kBadValue, 0);
  refused([](Tables t) { t.expressions[2].b = 1; }, Code::kBadValue, 2);
  refused([](Tables t) { t.expressions[1].a = 2; }, Code::kBadIndex, 1);
  refused([](Tables t) { t.expressions[3].a = 3; }, Code::kBadIndex, 3);
  refused([](Tables t) { t.expressions[3].b = 4; }, Code::kBadIndex, 3);
  refused(
      [](Tables t) {
        t.expressions[0] = {number(ExpressionKind::kAdd), 0, 0};
      },
      Code::kBadIndex, 0);
  // Patches.
  refused([](Tables t) { t.patches[0].target = 3; }, Code::kBadIndex, 0);
  refused([](Tables t) { t.patches[0].index = 7; }, Code::kBadIndex, 1);
  refused([](Tables t) { t.patches[1].index = t.patches[0].index; }, Code::kBadIndex, 1);
  refused([=](Tables t) { t.patches[0].expression = expressions; }, Code::kBadIndex, 0);
  refused([=](Tables t) { t.patches[patches - 1].index = Rows::kY; }, Code::kBadIndex, patches - 1);
  refused([=](Tables t) { t.patches[patches - 1].index = 6; }, Code::kBadIndex, patches - 1);
  refused([=](Tables t) { t.patches[patches - 2].index = 1u << 20; }, Code::kBadIndex, patches - 2);
  refused([=](Tables t) { std::swap(t.patches[patches - 1], t.patches[patches - 2]); },
          Code::kBadIndex, patches - 1);
  // What is stored is for the most.
  refused([](Tables t) { t.expressions[2].a = 3; }, Code::kBadExpression, 3);
}

TEST(Symbols, StatesStayWhatTheyAre) {
  // The state is [3], as x is.
  ProgramTables tables = sums(false).tables;
  tables.symbols = {{0, 0, 0, 1, 3}};
  tables.expressions = {{kSymbol, 0, 0}};
  tables.required_features |= format::kDimsFeature;
  const uint32_t words = static_cast<uint32_t>(tables.shapes.size());
  tables.symbolic_variants = {{0, 0, 1, 0, 1, words, 0}};
  const Sums values = sums(false);
  for (const uint32_t value : {values.s, values.next}) {
    tables.patches = {{0, tables.values[value].shape, 0}};
    SymbolMachine machine(tables);
    machine.options.states = &kStates;
    expect_error(machine.load(), Code::kBadValue, value);
  }
  // Of x it may be; then nothing fits but what was there.
  tables.patches = {{0, tables.values[values.x].shape, 0}};
  SymbolMachine machine(tables);
  machine.options.states = &kStates;
  ASSERT_TRUE(machine.load().ok());
  const Status status = machine.instance.set_symbols(std::array{2u});
  EXPECT_EQ(status.code, Code::kBadShape);
  EXPECT_EQ(status.step, 0u);
  EXPECT_EQ(machine.instance.symbol(0), 3u);
}

// Right for the most, wrong for fewer.
TEST(Symbols, EachChangeIsProved) {
  const auto last_patch = symbolic_rows().patches.size() - 1;
  const auto refuse = [](const Change& change, Code code, uint32_t step = kNoIndex,
                         uint32_t value = kNoIndex) {
    ProgramTables tables = symbolic_rows();
    change(tables);
    SymbolMachine machine(tables);
    ASSERT_TRUE(machine.load().ok());
    const Status status = machine.set(2, 2);
    EXPECT_EQ(status.code, code);
    EXPECT_EQ(status.step, step);
    if (value != kNoIndex) {
      EXPECT_EQ(status.value, value);
    }
    expect_rows(machine, Rows::kRowsMost, Rows::kColumnsMost);
  };
  // An expression that the last patch has instead: `c` - n * `factor`.
  const auto last_is = [=](uint32_t c, uint32_t factor) {
    return [=](ProgramTables& t) {
      const auto first = static_cast<uint32_t>(t.expressions.size());
      t.expressions.push_back({kConstant, c, 0});
      t.expressions.push_back({kConstant, factor, 0});
      t.expressions.push_back({number(ExpressionKind::kMultiply), 0, first + 1});
      t.expressions.push_back({number(ExpressionKind::kSubtract), first, first + 2});
      t.symbolic_variants[0].expression_count += 4;
      t.patches[last_patch].expression = first + 3;
    };
  };
  // The offset of y1 is 96 for the most: one that leaves its root, above and below, and one that is
  // not aligned.
  refuse(last_is(100, 1), Code::kBadAlignment, kNoIndex, Rows::kY1);
  refuse(last_is(112, 4), Code::kBadRange, kNoIndex, Rows::kY1);
  const auto below = [=](ProgramTables& t) {
    // n * 24, 48 for two, is where y begins: it overlaps y0.
    t.expressions.push_back({kConstant, 24, 0});
    t.expressions.push_back(
        {number(ExpressionKind::kMultiply), 0, static_cast<uint32_t>(t.expressions.size()) - 1});
    t.symbolic_variants[0].expression_count += 2;
    t.patches[last_patch].expression = static_cast<uint32_t>(t.expressions.size()) - 1;
  };
  {
    ProgramTables tables = symbolic_rows();
    below(tables);
    SymbolMachine machine(tables);
    ASSERT_TRUE(machine.load().ok());
    EXPECT_TRUE(machine.set(2, 3).ok());
    expect_error(machine.set(1, 3), Code::kBadRange, Rows::kY1);
  }
  // The last row is one beyond the end.
  refuse(
      [=](ProgramTables& t) {
        t.expressions.push_back({kConstant, 7, 0});
        ++t.symbolic_variants[0].expression_count;
        t.patches[last_patch - 1].expression = static_cast<uint32_t>(t.expressions.size()) - 1;
      },
      Code::kBadAttribute, 3);
  // Patches that leave out one dim or stride: of each value, and of the constant.
  for (size_t i = 0; i + 2 < symbolic_rows().patches.size(); ++i) {
    ProgramTables tables = symbolic_rows();
    tables.patches.erase(tables.patches.begin() + static_cast<std::ptrdiff_t>(i));
    --tables.symbolic_variants[0].patch_count;
    SymbolMachine machine(tables);
    ASSERT_TRUE(machine.load().ok());
    const bool refused = !machine.set(2, 2).ok();
    if (refused) {
      expect_rows(machine, Rows::kRowsMost, Rows::kColumnsMost);
    } else {
      // Strides of something that is not row-major, or of one row.
      (void)machine.outputs();
    }
  }
  // A constant that is larger for fewer.
  refuse(
      [](ProgramTables& t) {
        const auto first = static_cast<uint32_t>(t.expressions.size());
        t.expressions.push_back({kConstant, 7, 0});
        t.expressions.push_back({number(ExpressionKind::kSubtract), first, 1});
        t.symbolic_variants[0].expression_count += 2;
        // k: 7 - 3 is not 3; its rows, 7 - 3, are.
        t.patches[0].expression = first + 1;
      },
      Code::kBadShape, 0);
  refuse(
      [](ProgramTables& t) {
        const auto first = static_cast<uint32_t>(t.expressions.size());
        // The stride of rows, 0 for the most: 3 - k.
        t.expressions.push_back({kConstant, 3, 0});
        t.expressions.push_back({number(ExpressionKind::kSubtract), first, 1});
        t.expressions.push_back({kConstant, 9, 0});
        t.expressions.push_back({number(ExpressionKind::kMultiply), first + 1, first + 2});
        t.symbolic_variants[0].expression_count += 4;
        t.patches.insert(t.patches.begin() + 2, {0, t.constants[0].shape + 2, first + 3});
        ++t.symbolic_variants[0].patch_count;
      },
      Code::kBadValue, kNoIndex, format::kConstantBit);
}

struct RequestCounts {
  uint32_t loaded = 0, set = 0, refused = 0;
};

// Loads tables, sets numbers at random and runs: everything is refused or stays inside.
void try_tables(const ProgramTables& tables, std::mt19937& random, RequestCounts& counts) {
  const auto number = [&] { return static_cast<uint32_t>(1 + random() % 4); };
  SymbolMachine machine(tables);
  if (!machine.load().ok()) return;
  ++counts.loaded;
  for (int i = 0; i < 4; ++i) {
    const Status status = i % 2 == 0 ? machine.set(number(), number() % 3 + 1)
                                     : machine.set_shape(number(), number() % 3 + 1);
    ++(status.ok() ? counts.set : counts.refused);
    (void)machine.outputs(false);
  }
}

TEST(Symbols, DamagedTablesReachNothingElse) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  const ProgramTables whole = symbolic_rows();
  RequestCounts counts;
  for (int i = 0; i < 6000; ++i) {
    ProgramTables tables = whole;
    const auto damage = [&](auto& records) {
      auto& record = records[below(records.size())];
      uint32_t words[sizeof(record) / 4];
      std::memcpy(words, &record, sizeof(record));
      uint32_t& word = words[below(sizeof(record) / 4)];
      switch (below(5)) {
        case 0:
          word += below(9) - 4;
          break;
        case 1:
          word ^= 1u << below(32);
          break;
        case 2:
          word = below(64);
          break;
        case 3:
          word = below(2) == 0 ? kNoIndex - below(3) : 0x7fffffff + below(3);
          break;
        default:
          word = below(tables.expressions.size());
          break;
      }
      std::memcpy(&record, words, sizeof(record));
    };
    switch (below(8)) {
      case 0:
        damage(tables.symbols);
        break;
      case 1:
        damage(tables.symbolic_variants);
        break;
      case 2:
      case 3:
        damage(tables.expressions);
        break;
      case 4:
      case 5:
      case 6:
        damage(tables.patches);
        break;
      default:
        damage(tables.values);
        break;
    }
    try_tables(tables, random, counts);
  }
  EXPECT_GT(counts.loaded, 300u);
  EXPECT_GT(counts.set, 500u);
  EXPECT_GT(counts.refused, 100u);
}

// The results for the most, as 64-bit numbers; -1 where there is none.
std::vector<int64_t> results_of(const ProgramTables& tables) {
  std::vector<int64_t> results;
  for (const ExpressionRecord& e : tables.expressions) {
    const int64_t a = e.kind == kConstant ? e.a
                      : e.kind == kSymbol ? tables.symbols[e.a].most
                                          : results[e.a];
    const int64_t b = e.kind > kSymbol ? results[e.b] : 0;
    int64_t result = a;
    switch (static_cast<ExpressionKind>(e.kind)) {
      case ExpressionKind::kConstant:
      case ExpressionKind::kSymbol:
        break;
      case ExpressionKind::kAdd:
        result = a + b;
        break;
      case ExpressionKind::kSubtract:
        result = a - b;
        break;
      case ExpressionKind::kMultiply:
        result = a * b;
        break;
      case ExpressionKind::kDivide:
        result = b == 0 ? -1 : a / b;
        break;
      case ExpressionKind::kCeilDivide:
        result = b == 0 ? -1 : (a + b - 1) / b;
        break;
      case ExpressionKind::kMaximum:
        result = std::max(a, b);
        break;
      case ExpressionKind::kMinimum:
        result = std::min(a, b);
        break;
    }
    results.push_back(result < 0 || result > 0x7fffffff ? -1 : result);
  }
  return results;
}

// Any word, with an expression that is right for the most and anything for fewer.
TEST(Symbols, HostileExpressionsReachNothingElse) {
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  const ProgramTables whole = symbolic_rows();
  RequestCounts counts;
  for (int i = 0; i < 6000; ++i) {
    ProgramTables tables = whole;
    const auto add = [&](ExpressionRecord record) {
      tables.expressions.push_back(record);
      return static_cast<uint32_t>(tables.expressions.size()) - 1;
    };
    const auto any = [&] { return below(tables.expressions.size()); };
    for (uint32_t n = 1 + below(3); n > 0; --n) {
      const uint32_t target = below(3);
      const uint32_t views[] = {Rows::kY0, Rows::kY1};
      const uint32_t index = target == 0   ? below(tables.shapes.size())
                             : target == 1 ? below(tables.attributes.size())
                                           : views[below(2)];
      const uint32_t stored = target == 0   ? tables.shapes[index]
                              : target == 1 ? tables.attributes[index]
                                            : tables.values[index].offset;
      if (stored > 0x7fffffff) continue;
      for (uint32_t more = below(4); more > 0; --more) {
        if (below(3) == 0) add({kConstant, below(2) == 0 ? below(8) : below(0x80000000u), 0});
        const uint32_t kind = 2 + below(7);
        add({kind, any(), any()});
        if (results_of(tables).back() < 0) tables.expressions.pop_back();
      }
      const uint32_t last =
          below(2) == 0 ? any() : static_cast<uint32_t>(tables.expressions.size()) - 1;
      const int64_t result = results_of(tables)[last];
      uint32_t expression = last;
      if (result < stored) {
        const uint32_t c = add({kConstant, static_cast<uint32_t>(stored - result), 0});
        expression = add({number(ExpressionKind::kAdd), last, c});
      } else if (result > stored) {
        const uint32_t c = add({kConstant, static_cast<uint32_t>(result - stored), 0});
        expression = add({number(ExpressionKind::kSubtract), last, c});
      }
      std::erase_if(tables.patches, [&](const PatchRecord& patch) {
        return patch.target == target && patch.index == index;
      });
      tables.patches.push_back({target, index, expression});
    }
    std::sort(tables.patches.begin(), tables.patches.end(), [](const auto& a, const auto& b) {
      return a.target != b.target ? a.target < b.target : a.index < b.index;
    });
    tables.symbolic_variants[0].expression_count = static_cast<uint32_t>(tables.expressions.size());
    tables.symbolic_variants[0].patch_count = static_cast<uint32_t>(tables.patches.size());
    try_tables(tables, random, counts);
  }
  EXPECT_EQ(counts.loaded, 6000u);
  EXPECT_GT(counts.set, 1000u);
  EXPECT_GT(counts.refused, 6000u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
