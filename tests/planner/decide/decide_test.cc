// What steps are decided for: packings by board, machines by shaders, forms by rows.
#include "planner/steps/decide/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "portable_fallback/forms.h"
#include "tests/planner/plan/blocked_table.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using format::Where;
using planner::Board;
using planner::Decided;
using planner::Target;
using testing::ElementsAre;
using testing::IsSupersetOf;

// A convolution of panels' size, a clip and a softmax.
Graph small_graph() {
  GraphBuilder b;
  ValueId x = b.conv(b.input({1, 16, 6, 6}), 32, 3, 1);
  x = b.clip(x, 0, 6);
  b.output(b.node(Op::kSoftmax, {x}, b.dims(x), SoftmaxAttributes{1}));
  return b.graph();
}

// The machine of each step.
std::vector<Where> machines(const Decided& decided) {
  std::vector<Where> where;
  for (const planner::ScheduledStep& step : decided.schedule.steps) where.push_back(step.where);
  return where;
}

Board board_with(CpuFeatures features) {
  Board board;
  board.variants = {{std::nullopt, features}};
  return board;
}

TEST(Decide, WantsPanelsForShadersAndFloatVectors) {
  EXPECT_TRUE(planner::wants_panels(planner::find_board("host")));
  for (const char* name : {"mps3-an547", "mps2-an386"}) {
    EXPECT_FALSE(planner::wants_panels(planner::find_board(name))) << name;
  }
  EXPECT_FALSE(planner::wants_panels(board_with(0)));
  EXPECT_TRUE(planner::wants_panels(board_with(cpu_features::kNeon)));
  EXPECT_TRUE(planner::wants_panels(board_with(cpu_features::kAvx2)));
}

TEST(Decide, PacksWeightsAsTheTargetWantsThem) {
  const Graph graph = small_graph();
  const planner::TargetForms forms{.ops = all_ops()};
  const planner::LaidGraph laid = planner::lay_out(graph, forms);
  for (const bool panels : {false, true}) {
    Target target;
    target.forms = forms;
    target.panels = panels;
    planner::ConstantPool pool;
    const Decided decided = planner::decide(graph, laid, target, pool);
    EXPECT_EQ(decided.schedule.steps[0].inputs[1]->form.layout,
              panels ? Layout::kPanel16 : Layout::kStrided);
  }
}

TEST(Decide, ShadersRunWhatTheyTakeAndTheFirstRowTheRest) {
  const Graph graph = small_graph();
  Target target;
  target.forms = {.ops = all_ops()};
  target.shaders = [](const Step& step) { return step.op() != Op::kClip; };
  planner::ConstantPool pool;
  const Decided decided =
      planner::decide(graph, planner::lay_out(graph, target.forms), target, pool);
  EXPECT_THAT(machines(decided), ElementsAre(Where::kVulkan, Where::kCpu, Where::kVulkan));
  // Fallbacks on the CPU need a form too. The row before it takes weights of 16 bits alone.
  EXPECT_EQ(decided.schedule.steps[0].forms.chosen(), &kConvForm0);
}

TEST(Decide, ShadersRunAStepWhosePackingOfTheFirstRowTheyDoNotRead) {
  const BlockedTable table({.n = 8, .k = 2, .bits = 32}, {.n = 8, .k = 2, .bits = 8});
  const Graph graph = small_graph();
  Target target;
  target.forms = {.ops = table.ops()};
  target.panels = true;
  target.shaders = [](const Step& step) {
    return step.op() == Op::kConv && step.input(1).layout() == Layout::kPanel16;
  };
  planner::ConstantPool pool;
  const Decided decided =
      planner::decide(graph, planner::lay_out(graph, target.forms), target, pool);
  EXPECT_THAT(machines(decided), ElementsAre(Where::kVulkan, Where::kCpu, Where::kCpu));
  EXPECT_EQ(decided.schedule.steps[0].forms.chosen(), &kConvForm0);
  target.shaders = nullptr;
  const Decided on_cpu =
      planner::decide(graph, planner::lay_out(graph, target.forms), target, pool);
  EXPECT_EQ(on_cpu.schedule.steps[0].forms.chosen()->number, BlockedTable::kForm);
}

// Costs of `names` as a board would have them.
planner::StepCosts costs_of(const std::map<std::string, double>& ps_per_unit, double transfer_ps) {
  planner::StepCosts costs;
  for (const auto& [name, ps] : ps_per_unit) costs.forms[name] = {ps, 0};
  costs.transfer = {0, transfer_ps};
  return costs;
}

const std::map<std::string, double> kFastDevice{{"Conv.float32", 100},   {"Conv.vulkan", 1},
                                                {"Clip.float32", 10},    {"Clip.vulkan", 20},
                                                {"Softmax.float32", 10}, {"Softmax.vulkan", 20}};

Decided decided_with(const planner::StepCosts* costs, const std::vector<std::string>& explained) {
  const Graph graph = small_graph();
  Target target;
  target.forms = {.ops = all_ops()};
  target.shaders = [](const Step&) { return true; };
  target.costs = costs;
  target.explained = explained;
  planner::ConstantPool pool;
  return planner::decide(graph, planner::lay_out(graph, target.forms), target, pool);
}

TEST(Decide, MeasuredCostsChooseMachinesWithTheirTransfers) {
  // The convolution is worth the device, the small steps behind it are not.
  const planner::StepCosts free = costs_of(kFastDevice, 0);
  EXPECT_THAT(machines(decided_with(&free, {})),
              ElementsAre(Where::kVulkan, Where::kCpu, Where::kCpu));
  // The convolution saves 165,888 x 99 ps there, more than two transfers cost.
  const planner::StepCosts dear = costs_of(kFastDevice, 1e6);
  const Decided decided = decided_with(&dear, {});
  EXPECT_THAT(machines(decided), ElementsAre(Where::kVulkan, Where::kCpu, Where::kCpu));
  EXPECT_LT(decided.cost, decided.rule_cost);
  // What the device saves is less than two transfers.
  const planner::StepCosts dearest = costs_of(kFastDevice, 1e12);
  EXPECT_THAT(machines(decided_with(&dearest, {})),
              ElementsAre(Where::kCpu, Where::kCpu, Where::kCpu));
}

TEST(Decide, StepsOfWhichAnOptionIsNotMeasuredKeepTheOrderOfRows) {
  const planner::StepCosts some = costs_of({{"Clip.float32", 1}, {"Clip.vulkan", 2}}, 0);
  EXPECT_THAT(machines(decided_with(&some, {})),
              ElementsAre(Where::kVulkan, Where::kCpu, Where::kVulkan));
}

TEST(Decide, ExplainsOptionsAndRefusals) {
  const Graph graph = small_graph();
  const std::string conv = planner::node_name(graph.nodes[0]);
  const Decided decided = decided_with(nullptr, {conv});
  ASSERT_EQ(decided.explained.size(), 1u);
  const planner::ExplainedStep& step = decided.explained[0];
  EXPECT_EQ(step.node, conv);
  EXPECT_FALSE(step.is_measured);
  std::vector<std::string> lines;
  for (const planner::ExplainedOption& option : step.options) {
    lines.push_back(option.name +
                    (option.taken  ? " taken: "
                     : option.cost ? ": "
                                   : " refused: ") +
                    option.why);
  }
  EXPECT_EQ(lines.front(), "Conv.vulkan taken: costs least");
  EXPECT_THAT(lines, IsSupersetOf({"Conv.float32: costs more",
                                   "Conv.half_weights refused: does not accept the step",
                                   "Conv.float32_avx2 refused: needs a CPU with avx2, fma"}));
}

TEST(Decide, SaysWhatBarsAForm) {
  Form form = kConvForm0;
  const planner::TargetForms target{.ops = all_ops(), .alignment = 16};
  EXPECT_EQ(planner::why_barred(target, form, DType::kFloat32), "");
  EXPECT_EQ(planner::why_barred(target, form, DType::kInt8), "is not for int8");
  form.needs = cpu_features::kAvx2 | cpu_features::kFma;
  EXPECT_EQ(planner::why_barred(target, form, DType::kFloat32), "needs a CPU with avx2, fma");
  form.needs = 0;
  form.alignment = 64;
  EXPECT_EQ(planner::why_barred(target, form, DType::kFloat32),
            "needs data aligned to 64 bytes; the memories align to 16");
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
