// What steps are decided for: packings by board, machines by shaders, forms by rows.
#include "planner/steps/decide/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using format::Where;
using planner::Board;
using planner::Schedule;
using planner::Target;
using testing::ElementsAre;

// A convolution of panels' size, a clip and a softmax.
Graph small_graph() {
  GraphBuilder b;
  ValueId x = b.conv(b.input({1, 16, 6, 6}), 32, 3, 1);
  x = b.clip(x, 0, 6);
  b.output(b.node(Op::kSoftmax, {x}, b.dims(x), SoftmaxAttributes{1}));
  return b.graph();
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
    const Schedule decided = planner::decide(graph, laid, target, pool);
    EXPECT_EQ(decided.steps[0].inputs[1]->form.layout,
              panels ? Layout::kPanel16 : Layout::kStrided);
  }
}

TEST(Decide, ShadersRunWhatTheyTakeAndTheFirstRowTheRest) {
  const Graph graph = small_graph();
  Target target;
  target.forms = {.ops = all_ops()};
  target.shaders = [](const Step& step) { return step.op() != Op::kClip; };
  planner::ConstantPool pool;
  const Schedule decided =
      planner::decide(graph, planner::lay_out(graph, target.forms), target, pool);
  std::vector<Where> where;
  for (const planner::ScheduledStep& step : decided.steps) where.push_back(step.where);
  EXPECT_THAT(where, ElementsAre(Where::kVulkan, Where::kCpu, Where::kVulkan));
  // Fallbacks on the CPU need a form too. The row before it takes weights of 16 bits alone.
  EXPECT_EQ(decided.steps[0].forms.chosen(), &kConvForm0);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
