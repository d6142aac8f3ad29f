// Transfers, lifetimes and barriers of small variants worked out by hand.
#include <gtest/gtest.h>

#include "planner/place/place.h"
#include "planner/steps/decide/decide.h"
#include "planner/steps/variant/barriers.h"
#include "planner/steps/variant/lifetimes.h"
#include "planner/steps/variant/partition.h"
#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using format::ArenaKind;
using format::Where;
using planner::Schedule;

// Says of each step where it runs, in a letter, with ! where it waits for those before it.
std::string places(const Schedule& plan) {
  std::string text;
  for (const planner::ScheduledStep& step : plan.steps) {
    constexpr char kLetters[] = {'c', 'v', '-', 't'};
    if (step.barrier_before) text += '!';
    text += kLetters[static_cast<size_t>(step.where)];
  }
  return text;
}

struct Planned {
  planner::ConstantPool pool;
  Schedule plan;
};

std::vector<planner::StepWork> work_on(const planner::Board& board, const Schedule& lowered,
                                       planner::ConstantPool& pool) {
  std::vector<uint32_t> not_done;
  auto work = planner::work_of(lowered, {}, pool, *planner::vulkan_of(board), not_done);
  EXPECT_TRUE(not_done.empty());
  return work;
}

// Vulkan runs the ops of `shaders`; lifetimes, places and barriers are set.
Planned plan_on_vulkan(const Graph& graph, const std::vector<Op>& shaders, bool keep_inputs) {
  const planner::Board board = planner::find_board("host");
  Planned result;
  planner::Schedule lowered = planner::lower_for_cpu(graph, board, {all_ops()}, result.pool);
  for (planner::ScheduledStep& step : lowered.steps) {
    const bool shader = std::find(shaders.begin(), shaders.end(), step.op) != shaders.end();
    if (shader && !step.is_view()) step.where = Where::kVulkan;
  }
  auto plan =
      planner::vulkan_variant(lowered, work_on(board, lowered, result.pool), {}, result.pool);
  EXPECT_TRUE(plan.has_value());
  if (!plan.has_value()) return result;
  result.plan = std::move(*plan);
  planner::set_lifetimes(result.plan, keep_inputs);
  planner::place(result.plan, board, memory::kDefaultAlgorithm, "test");
  planner::set_barriers(result.plan, false);
  return result;
}

TEST(Schedule, ChainOnVulkanWaitsAtEachStep) {
  GraphBuilder b;
  ValueId x = b.input({1, 4, 8, 8});
  x = b.node(Op::kSigmoid, {x}, b.dims(x));
  x = b.node(Op::kSigmoid, {x}, b.dims(x));
  b.output(x);
  EXPECT_EQ(places(plan_on_vulkan(b.graph(), {Op::kSigmoid}, true).plan), "t!v!v!t");
}

TEST(Schedule, IndependentStepsDoNotWait) {
  GraphBuilder b;
  const ValueId x = b.input({64});
  const ValueId y = b.node(Op::kSigmoid, {x}, {64});
  const ValueId z = b.clip(x, 0, 1);
  b.output(b.add(y, z));
  // Up, two readers of x side by side, their sum, and down.
  EXPECT_EQ(places(plan_on_vulkan(b.graph(), {Op::kSigmoid, Op::kClip, Op::kAdd}, true).plan),
            "t!vv!v!t");
}

// Two steps on Vulkan that write halves of one storage, of 64 elements each; the second reads the
// storage of `read`.
Schedule halves(uint32_t read) {
  Schedule plan;
  for (const uint32_t elements : {64u, 128u}) {
    plan.storages.push_back(
        planner::storage_of("s", DType::kFloat32, planner::row_major({elements})));
    plan.storages.back().kind = format::ArenaKind::kDevice;
  }
  plan.storages[1].offset = 256;
  for (const uint32_t half : {0u, 1u}) {
    planner::ScheduledStep step;
    step.op = Op::kSigmoid;
    step.where = Where::kVulkan;
    const planner::Operand part{
        .index = 0, .dtype = DType::kFloat32, .form = planner::row_major({64})};
    step.inputs = {part};
    step.outputs = {part};
    step.inputs[0]->index = half == 0 ? 0 : read;
    step.outputs[0]->index = 1;
    step.outputs[0]->form.offset = half * 64;
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

TEST(Schedule, PartsOfAnySizeWaitForEachOther) {
  Schedule plan = halves(0);
  planner::set_barriers(plan, false);
  EXPECT_EQ(places(plan), "vv");
  planner::set_barriers(plan, true);
  EXPECT_EQ(places(plan), "v!v");
}

TEST(Schedule, PartsOfAnySizeAreNotWrittenBesideWhatIsRead) {
  for (const bool any_size : {false, true}) {
    EXPECT_TRUE(planner::storages_shared_badly(halves(0), any_size).empty());
    EXPECT_EQ(planner::storages_shared_badly(halves(1), any_size),
              any_size ? std::vector<uint32_t>{1} : std::vector<uint32_t>());
  }
}

TEST(Schedule, ReusedBytesMakeAStepWait) {
  GraphBuilder b;
  const ValueId x = b.input({64});
  // y dies before w is born, which reads only x: w may lie where y lay, and then must wait for
  // those that read y.
  const ValueId y = b.node(Op::kSigmoid, {x}, {64});
  const ValueId z = b.clip(y, 0, 1);
  const ValueId w = b.node(Op::kSigmoid, {x}, {64});
  b.output(b.add(w, z));
  const Planned planned = plan_on_vulkan(b.graph(), {Op::kSigmoid, Op::kClip, Op::kAdd}, true);
  const auto& storages = planned.plan.storages;
  const auto storage_of = [&](size_t step) {
    return storages[planned.plan.steps[step].outputs[0]->index];
  };
  ASSERT_EQ(storage_of(1).offset, storage_of(3).offset) << "the bytes of y are reused for w";
  EXPECT_EQ(places(planned.plan), "t!v!v!v!v!t");
}

TEST(Schedule, CpuStepsGetCopiesBothWays) {
  GraphBuilder b;
  ValueId x = b.input({64});
  x = b.node(Op::kSigmoid, {x}, {64});
  x = b.clip(x, 0, 1);  // on the CPU
  x = b.node(Op::kSigmoid, {x}, {64});
  b.output(x);
  const Schedule plan = plan_on_vulkan(b.graph(), {Op::kSigmoid}, true).plan;
  // Up, sigmoid, down; the CPU; up, sigmoid, down. Nothing to wait for right behind the CPU.
  EXPECT_EQ(places(plan), "t!v!tct!v!t");
  const auto kind = [&](const planner::Operand& operand) {
    return plan.storages[operand.index].kind;
  };
  EXPECT_EQ(kind(*plan.steps[3].inputs[0]), ArenaKind::kReadback);
  EXPECT_EQ(kind(*plan.steps[3].outputs[0]), ArenaKind::kUpload);
}

TEST(Schedule, InputOnlyTheCpuReadsIsNotTransferred) {
  GraphBuilder b;
  const ValueId x = b.input({64}), y = b.input({64});
  const ValueId on_cpu = b.clip(x, 0, 1);
  b.output(on_cpu);
  b.output(b.node(Op::kSigmoid, {y}, {64}));
  const Schedule plan = plan_on_vulkan(b.graph(), {Op::kSigmoid}, true).plan;
  EXPECT_EQ(places(plan), "ct!v!t");
  EXPECT_EQ(plan.storages[plan.outputs[0]].kind, ArenaKind::kReadback);
}

TEST(Schedule, NoVariantWithoutAVulkanStep) {
  GraphBuilder b;
  b.output(b.clip(b.input({4}), 0, 1));
  planner::ConstantPool pool;
  const planner::Board board = planner::find_board("host");
  const planner::Schedule lowered = planner::lower_for_cpu(b.graph(), board, {all_ops()}, pool);
  EXPECT_FALSE(
      planner::vulkan_variant(lowered, work_on(board, lowered, pool), {}, pool).has_value());
}

TEST(Schedule, InputsLiveToTheEndOnlyWhenKept) {
  GraphBuilder b;
  ValueId x = b.input({64});
  for (int i = 0; i < 3; ++i) x = b.node(Op::kSigmoid, {x}, {64});
  b.output(x);
  for (const bool keep : {false, true}) {
    const Schedule plan = plan_on_vulkan(b.graph(), {Op::kSigmoid}, keep).plan;
    ASSERT_EQ(plan.steps.size(), 5u);
    EXPECT_EQ(plan.storages[plan.inputs[0]].lifetime.first, 0u);
    EXPECT_EQ(plan.storages[plan.inputs[0]].lifetime.last, keep ? 4u : 0u);
    EXPECT_EQ(plan.storages[plan.outputs[0]].lifetime.last, 4u);
  }
}

TEST(Schedule, ViewsKeepTheirRootAlive) {
  GraphBuilder b;
  const ValueId x = b.input({2, 3});
  const ValueId y = b.clip(x, 0, 1);                            // step 0
  const ValueId seen = b.transpose(y, {1, 0});                  // step 1
  const ValueId other = b.clip(x, 0, 2);                        // step 2
  const ValueId sum = b.add(seen, b.transpose(other, {1, 0}));  // steps 3 and 4
  b.output(sum);
  planner::ConstantPool pool;
  const planner::Schedule lowered =
      planner::lower_for_cpu(b.graph(), planner::find_board("mps3-an547"), {all_ops()}, pool);
  Schedule plan = planner::cpu_variant(lowered);
  planner::set_lifetimes(plan, false);
  EXPECT_EQ(places(plan), "c-c-c");
  const uint32_t root = plan.steps[0].outputs[0]->index;
  EXPECT_EQ(plan.storages[root].lifetime.first, 0u);
  EXPECT_EQ(plan.storages[root].lifetime.last, 4u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
