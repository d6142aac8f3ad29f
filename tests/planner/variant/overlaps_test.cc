// Outputs placed by hand as near to their inputs as the permissions go: right there, refused
// nearer.
#include "planner/steps/variant/overlaps.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/graph/interpret.h"
#include "planner/program/check.h"
#include "planner/program/tables.h"
#include "planner/steps/decide/decide.h"
#include "planner/steps/variant/lifetimes.h"
#include "planner/steps/variant/partition.h"
#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

using planner::OverlapPasses;
using planner::OverlapPermission;
using planner::Schedule;

Graph chain() {
  GraphBuilder b;
  ValueId x = b.input({1, 3, 16, 16});
  x = b.conv(x, 24, 3, 1);
  x = b.node(Op::kSigmoid, {x}, b.dims(x));
  x = b.conv(x, 24, 3, 1, 24);
  x = b.max_pool(x, 2);
  x = b.conv(x, 40, 1);
  x = b.clip(x, -1, 1);
  x = b.node(Op::kSoftmax, {x}, b.dims(x), SoftmaxAttributes{2});
  b.output(x);
  return b.graph();
}

struct Chain {
  planner::Schedule lowered;
  planner::ConstantPool pool;
  Schedule plan;

  Chain() {
    lowered = planner::lower_for_cpu(chain(), planner::find_board("mps3-an547"), {all_ops()}, pool);
    plan = planner::cpu_variant(lowered);
    planner::set_lifetimes(plan, false);
  }
  std::vector<OverlapPermission> permissions(const OverlapPasses& passes) const {
    return planner::find_overlaps(plan, pool, passes, false);
  }
};

// Each storage as far below the one before it as permitted, less `nearer` bytes at `at`; where
// nothing is permitted, above it.
void place(Schedule& plan, const std::vector<OverlapPermission>& permissions, uint32_t at,
           int64_t nearer) {
  std::vector<int64_t> offsets(plan.storages.size());
  for (uint32_t s = 0; s < plan.steps.size(); ++s) {
    const auto& step = plan.steps[s];
    const uint32_t input = step.inputs[0]->index;
    const uint32_t output = step.outputs[0]->index;
    if (input == output) continue;
    offsets[output] = offsets[input] + static_cast<int64_t>(plan.storages[input].bytes);
    for (const OverlapPermission& permission : permissions) {
      if (permission.step != s) continue;
      offsets[output] = offsets[input] - permission.overlap.lead_bytes + (s == at ? nearer : 0);
    }
  }
  const int64_t lowest = *std::min_element(offsets.begin(), offsets.end());
  planner::Arena arena;
  arena.name = "dtcm";
  arena.alignment = 16;
  for (size_t r = 0; r < offsets.size(); ++r) {
    plan.storages[r].arena = 0;
    plan.storages[r].offset = static_cast<uint32_t>(offsets[r] - lowest);
    arena.bytes = std::max(arena.bytes,
                           static_cast<uint32_t>(plan.storages[r].offset + plan.storages[r].bytes));
  }
  plan.arenas = {arena};
  planner::mark_overlaps(plan, permissions);
}

std::vector<std::byte> program_of(const Chain& chain) {
  planner::PlannedMethod method;
  method.name = "m";
  method.inputs = {"x"};
  method.outputs = {"y"};
  method.variants.resize(1);
  method.variants[0].board = "board";
  method.variants[0].plan = chain.plan;
  return planner::write_program(planner::make_tables({method}, chain.pool, {}));
}

TEST(Overlaps, RightAsNearAsPermitted) {
  for (const OverlapPasses passes : {OverlapPasses{true, true}, OverlapPasses{true, false},
                                     OverlapPasses{false, true}, OverlapPasses{false, false}}) {
    SCOPED_TRACE(testing::Message() << passes.in_place << passes.partial_overlap);
    Chain chain;
    const auto permissions = chain.permissions(passes);
    place(chain.plan, permissions, 0, 0);
    uint32_t serial = 0;
    for (const auto& step : chain.plan.steps) serial += step.serial ? 1 : 0;
    EXPECT_EQ(serial != 0, passes.partial_overlap);
    EXPECT_EQ(permissions.empty(), !passes.in_place && !passes.partial_overlap);
    const OpenProgram program(program_of(chain));
    planner::check_program(*program, {all_ops()});
    EXPECT_EQ(program->header().required_features != 0, !permissions.empty());
    const Graph graph = test::chain();
    const auto inputs = test_inputs(graph, 3);
    EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
  }
}

TEST(Overlaps, EveryStepOfAChainMayOverlap) {
  const Chain chain;
  std::vector<bool> permitted(chain.plan.steps.size());
  for (const OverlapPermission& p : chain.permissions({})) permitted[p.step] = true;
  for (size_t s = 0; s < permitted.size(); ++s) {
    EXPECT_EQ(permitted[s], chain.plan.steps[s].where == format::Where::kCpu) << s;
  }
}

TEST(Overlaps, OneElementNearerIsRefused) {
  Chain chain;
  const auto permissions = chain.permissions({});
  for (const OverlapPermission& permission : permissions) {
    place(chain.plan, permissions, permission.step, 4);
    EXPECT_FALSE(planner::is_kept(chain.plan, permission)) << permission.step;
    const OpenProgram program(program_of(chain));
    EXPECT_THROW(planner::check_program(*program, {all_ops()}), std::logic_error)
        << permission.step;
  }
}

TEST(Overlaps, KeptInputsAndOutputsYieldToNobody) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId y = b.node(Op::kSigmoid, {x}, {4, 4});
  b.output(y);
  b.output(b.node(Op::kSigmoid, {y}, {4, 4}));
  planner::ConstantPool pool;
  const auto lowered =
      planner::lower_for_cpu(b.graph(), planner::find_board("mps3-an547"), {all_ops()}, pool);
  Schedule plan = planner::cpu_variant(lowered);
  for (const bool keep : {false, true}) {
    planner::set_lifetimes(plan, keep);
    const auto permissions = planner::find_overlaps(plan, pool, {}, keep);
    ASSERT_EQ(permissions.size(), keep ? 0u : 1u);
    EXPECT_TRUE(keep || permissions[0].step == 0);
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
