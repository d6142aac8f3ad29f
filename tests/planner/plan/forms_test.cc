// Plans for a target with a form of its own: room for the references too, or for that form alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/shape.h"
#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

constexpr uint8_t kSpecial = 8;
constexpr uint32_t kAlignment = 16, kOverRead = 20;  // the board's memories align to 16

Status run_negated(const Step& step, const Platform& platform) {
  EXPECT_TRUE(step.has_scratch());
  EXPECT_GE(step.scratch().bytes(), 48u);
  const Tensor x = step.input(0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.data) % kAlignment, 0u);
  EXPECT_GE(x.bytes(), extent_bytes(x) + kOverRead);
  ARENITE_TRY(kSigmoidForm0.run(step, platform));
  const OutTensor y = step.output(0);
  for (uint64_t i = 0; i < element_count(y); ++i) y.write<float>()[i] *= -1.0f;
  return ok_status();
}

ScratchNeed special_scratch(const Step&) { return {32, 16}; }
uint64_t special_distance(const Step&, uint32_t) { return kNoOverlap; }

// All operators; Sigmoid has a form more, which asks for much and gives -sigmoid, so that it is
// known which one ran.
class Table {
 public:
  explicit Table(CpuFeatures needs = 0, bool has_code = true)
      : entries_(all_ops().begin(), all_ops().end()) {
    special_.number = kSpecial;
    special_.needs = needs;
    special_.alignment = kAlignment;
    special_.over_read_bytes = kOverRead;
    special_.scratch = special_scratch;
    special_.safe_distance = special_distance;
    special_.run = has_code ? run_negated : nullptr;
    for (OpEntry& entry : entries_) {
      if (entry.op == Op::kSigmoid) entry.forms = forms_;
    }
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  OpTable ops() const { return entries_; }
  Form& special() { return special_; }

 private:
  Form special_ = kSigmoidForm0;
  const Form* forms_[3] = {&special_, &kSigmoidForm0, nullptr};
  std::vector<OpEntry> entries_;
};

// Views of parts of x that start anywhere, and a value that dies where its sigmoid is born.
Graph graph_of_sigmoids() {
  GraphBuilder b;
  const ValueId x = b.input({3, 21});
  const ValueId part = b.slice(x, {1, 0}, {1, 1}, {2, 21});
  b.output(b.node(Op::kSigmoid, {b.add(part, part)}, {2, 21}));
  b.output(b.node(Op::kSigmoid, {x}, {3, 21}));
  return b.graph();
}

planner::PlanOptions options_for(const Table& table, bool exact) {
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  options.ops = table.ops();
  options.exact_forms = exact;
  return options;
}

std::vector<uint8_t> forms_of(const Program& program, Op op) {
  std::vector<uint8_t> forms;
  for (const format::StepRecord& step : program.steps_of(program.variants()[0])) {
    if (static_cast<Op>(step.op) == op) forms.push_back(step.form);
  }
  return forms;
}

std::vector<float> floats(const std::vector<std::byte>& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Forms that need nothing of a CPU are for those without vectors: others are planned with the forms
// of their features.
TEST(ScalarForms, AreForBoardsWithoutVectors) {
  const auto first_needs = [](CpuFeatures features) {
    const planner::TargetForms target{.ops = all_ops(), .features = features};
    const Form* first = planner::candidate_forms(target, Op::kQuantizedAdd, DType::kInt8).front();
    return std::pair(first->number >= kFirstSpecialForm, first->needs);
  };
  EXPECT_EQ(first_needs(0), std::pair(true, cpu_features::kNone));
  EXPECT_EQ(first_needs(cpu_features::kDsp), std::pair(true, cpu_features::kDsp));
  EXPECT_EQ(first_needs(cpu_features::kF32x4), std::pair(true, cpu_features::kF32x4));
}

TEST(Forms, OfTheTargetArePlannedAndReferencesTakeTheirPlace) {
  const Table table;
  const Graph graph = graph_of_sigmoids();
  const OpenProgram program(
      planner::plan_graphs({{"main", graph, {}}}, options_for(table, false)).program);
  EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{kSpecial, kSpecial}));
  EXPECT_EQ(forms_of(*program, Op::kAdd), (std::vector<uint8_t>{0}));
  const auto inputs = test_inputs(graph, 3);
  const auto expected = planner::interpret(graph, inputs);
  EXPECT_EQ(run(*program, {}, inputs), expected);
  const auto by_special = run(*program, {.ops = table.ops()}, inputs);
  ASSERT_EQ(by_special.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    std::vector<float> negated = floats(expected[i]);
    for (float& number : negated) number *= -1.0f;
    EXPECT_EQ(floats(by_special[i]), negated);
  }
}

TEST(Forms, PlannedExactlyAreRefusedWhereOneIsMissing) {
  const Table table;
  const Graph graph = graph_of_sigmoids();
  const OpenProgram program(
      planner::plan_graphs({{"main", graph, {}}}, options_for(table, true)).program);
  EXPECT_NE(program->variants()[0].flags & format::kExactForms, 0u);
  const auto inputs = test_inputs(graph, 3);
  EXPECT_EQ(run(*program, {.ops = table.ops()}, inputs).size(), 2u);
  EXPECT_EQ(run(*program, {.load_code = Code::kNoForm}, inputs).size(), 0u);
}

// The facts of a form are enough to plan with it. A machine that lacks its code takes another form,
// or refuses.
TEST(Forms, WithoutCodeHereArePlannedButNeverCalled) {
  const Table table(0, false);
  const Graph graph = graph_of_sigmoids();
  const auto inputs = test_inputs(graph, 3);
  for (const bool exact : {false, true}) {
    const OpenProgram program(
        planner::plan_graphs({{"main", graph, {}}}, options_for(table, exact)).program);
    EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{kSpecial, kSpecial}));
    if (exact) {
      EXPECT_EQ(run(*program, {.ops = table.ops(), .load_code = Code::kNoForm}, inputs).size(), 0u);
    } else {
      EXPECT_EQ(run(*program, {.ops = table.ops()}, inputs), planner::interpret(graph, inputs));
    }
  }
}

// One plan for each kind of CPU: the better one says what it needs.
TEST(Forms, OfACpuFeatureAreOfItsVariant) {
  const CpuFeatures mve = bit_of(CpuFeature::kMve), fma = bit_of(CpuFeature::kFma);
  const Table table(mve);
  const Graph graph = graph_of_sigmoids();
  for (const bool exact : {false, true}) {
    planner::PlanOptions options = options_for(table, exact);
    options.boards[0].variants = {{std::nullopt, mve | fma}, {std::nullopt, mve}, {}};
    const planner::PlanResult result = planner::plan_graphs({{"main", graph, {}}}, options);
    // Nothing needs fma: the first would be the second again.
    ASSERT_EQ(result.report.notes.size(), 1u);
    EXPECT_NE(result.report.notes[0].find("fma is left out"), std::string::npos);
    const OpenProgram program(result.program);
    ASSERT_EQ(program->methods()[0].variant_count, 2u);
    EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{kSpecial, kSpecial}));
    EXPECT_EQ(*program->choose_variant(0, {{}, mve}), 0u);
    EXPECT_EQ(*program->choose_variant(0, {{}, fma}), 1u);
    EXPECT_EQ(program->requirements_of(program->variants()[1]).size(), 0u);
    EXPECT_EQ(result.report.variants[0].cpu_features, "mve");
    EXPECT_EQ(result.report.variants[1].cpu_features, "");
  }
}

// A board's one variant runs everywhere, unless its forms alone will do.
TEST(Forms, OfTheLastVariantAreNeededOnlyWhereNoOtherWillDo) {
  const CpuFeatures mve = bit_of(CpuFeature::kMve);
  const Table table(mve);
  const Graph graph = graph_of_sigmoids();
  for (const bool exact : {false, true}) {
    const OpenProgram program(
        planner::plan_graphs({{"main", graph, {}}}, options_for(table, exact)).program);
    EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{kSpecial, kSpecial}));
    EXPECT_EQ(program->choose_variant(0, {}).ok(), !exact);
    EXPECT_TRUE(program->choose_variant(0, {{}, mve}).ok());
  }
}

// A variant needs what its forms need beyond the board's last one, which every machine runs: a
// machine without that runs both with references.
TEST(Forms, OfEveryVariantAreNoReasonToTakeALaterOne) {
  const CpuFeatures mve = bit_of(CpuFeature::kMve), fma = bit_of(CpuFeature::kFma);
  const Table table(mve);
  const Graph graph = graph_of_sigmoids();
  planner::PlanOptions options = options_for(table, false);
  options.boards = {planner::find_board("host")};
  ASSERT_EQ(options.boards[0].variants.size(), 2u);
  for (planner::BoardVariant& variant : options.boards[0].variants) variant.cpu_features = mve;
  options.shader_filter = [](const Step& step) { return step.op() != Op::kSigmoid; };
  const planner::PlanResult result = planner::plan_graphs({{"main", graph, {}}}, options);
  const OpenProgram program(result.program);
  ASSERT_EQ(program->methods()[0].variant_count, 2u);
  EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{kSpecial, kSpecial}));
  EXPECT_EQ(result.report.variants[0].cpu_features, "");
  EXPECT_EQ(*program->choose_variant(0, {{}, fma}), 1u);
  const auto inputs = test_inputs(graph, 3);
  EXPECT_EQ(run(*program, {.variant = 1}, inputs), planner::interpret(graph, inputs));
}

// What lets no output overlap an input costs bytes.
TEST(Forms, ThatOverlapNothingAreLeftOutWhereBytesAreShort) {
  Table table;
  table.special().safe_distance = nullptr;
  const Graph graph = graph_of_sigmoids();
  for (const auto optimize : {planner::Optimize::kMemory, planner::Optimize::kSpeed}) {
    planner::PlanOptions options = options_for(table, false);
    options.optimize = optimize;
    const OpenProgram program(planner::plan_graphs({{"main", graph, {}}}, options).program);
    const uint8_t form = optimize == planner::Optimize::kMemory ? 0 : kSpecial;
    EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{form, form}));
  }
}

// Forms of one kin are planned as the plainest, but for a program that runs with nothing else.
TEST(Forms, ThatDifferInInstructionsArePlannedAsThePlainest) {
  const CpuFeatures mve = bit_of(CpuFeature::kMve);
  for (const uint8_t kin : {kSpecial, uint8_t{kSpecial - 1}}) {
    Table table(mve);
    table.special().kin = kin;
    const Graph graph = graph_of_sigmoids();
    for (const bool exact : {false, true}) {
      const OpenProgram program(
          planner::plan_graphs({{"main", graph, {}}}, options_for(table, exact)).program);
      const uint8_t form = kin == kSpecial || exact ? kSpecial : 0;
      EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{form, form}));
    }
  }
}

// No memory of the target need align data better than its board says.
TEST(Forms, ThatAskForMoreAlignmentThanThereIsAreNotPlanned) {
  const Table table;
  planner::PlanOptions options = options_for(table, false);
  options.boards[0].memories[1].memory.alignment = kAlignment / 2;
  const Graph graph = graph_of_sigmoids();
  const OpenProgram program(planner::plan_graphs({{"main", graph, {}}}, options).program);
  EXPECT_EQ(forms_of(*program, Op::kSigmoid), (std::vector<uint8_t>{0, 0}));
}

// A machine with forms that the planner did not know runs what was planned without them.
TEST(Forms, UnknownToThePlannerAreNotTaken) {
  const Table table;
  const Graph graph = graph_of_sigmoids();
  planner::PlanOptions options = options_for(table, false);
  options.ops = {};
  const OpenProgram program(planner::plan_graphs({{"main", graph, {}}}, options).program);
  const auto inputs = test_inputs(graph, 3);
  EXPECT_EQ(run(*program, {.ops = table.ops()}, inputs), planner::interpret(graph, inputs));
}

// One plan runs with whatever vectors a machine has: with none it is the references', bit by bit.
TEST(Forms, OfVectorsRunOnMachinesThatLackThem) {
  GraphBuilder b;
  const ValueId edges = b.conv(b.input({1, 3, 17, 19}), 24, 3, 1);
  const ValueId depthwise = b.conv(edges, 24, 3, 1, 24);
  b.output(b.conv(depthwise, 40, 1));
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.boards[0].variants = {{std::nullopt, cpu_features::kF32x4}};
  const OpenProgram program(planner::plan_graphs({{"main", b.graph(), {}}}, options).program);
  EXPECT_EQ(forms_of(*program, Op::kConv), (std::vector<uint8_t>(3, kSpecial)));
  const auto inputs = test_inputs(b.graph(), 3);
  const auto expected = planner::interpret(b.graph(), inputs);
  EXPECT_EQ(run(*program, {}, inputs), expected);
  CpuFeatures features = 0;
  for (const CpuFeatures more :
       {cpu_features::kF32x4, cpu_features::kAvx2 | cpu_features::kFma, cpu_features::kAvx512f}) {
    features |= more;
    if ((features & ~host_cpu_features()) != 0) break;
    const std::vector<float> by_vectors = floats(run(*program, {.features = features}, inputs)[0]);
    const std::vector<float> sums = floats(expected[0]);
    ASSERT_EQ(by_vectors.size(), sums.size());
    for (size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(by_vectors[i], sums[i], 1e-4) << features;
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
