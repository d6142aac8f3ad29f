// Tests the reports of steps' times: samples, the device's clock, tables, and runs with and
// without a profiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/plan.h"
#include "tools/run/cost_table.h"
#include "tools/run/gpu_clock.h"
#include "tools/run/measure.h"
#include "tools/run/timing.h"

namespace arenite::tools {
namespace {

using testing::HasSubstr;

TEST(Times, MedianAndPercentile) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1}), 2.5);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(percentile_95({7}), 7);
  std::vector<double> times(100);
  for (size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(100 - i);
  EXPECT_EQ(percentile_95(times), 95);
  times.resize(20);  // 81 to 100
  EXPECT_EQ(percentile_95(times), 99);
}

TEST(Samples, AnyNumberOfTimes) {
  Samples samples;
  EXPECT_TRUE(samples.empty());
  EXPECT_EQ(samples.median_ns(), 0);
  for (uint64_t i = 0; i < 1000000; ++i) samples.add(i);
  EXPECT_FALSE(samples.empty());
  EXPECT_NEAR(samples.median_ns(), 500000, 2000);  // they are spread over all of them
}

TEST(GpuClock, LiesBetweenSendingOffAndHavingBack) {
  GpuClock clock(64, 10);
  clock.fit(1000, 2000, 500, 530);  // 300 ns of work
  EXPECT_EQ(clock.host_ns(500), 1350u);
  EXPECT_EQ(clock.host_ns(530), 1650u);
  EXPECT_EQ(clock.between_ns(500, 510), 100u);
  // The next is put where the first says, unless the host knows better.
  clock.fit(3000, 4000, 700, 710);
  EXPECT_EQ(clock.host_ns(700), 1350u + 2000);
  clock.fit(6000, 6500, 900, 920);  // by the ticks it had begun at 5350
  EXPECT_EQ(clock.host_ns(900), 6000u);
  clock.fit(7000, 7100, 1100, 1105);  // at 8000
  EXPECT_EQ(clock.host_ns(1105), 7100u);
  // Work that takes longer than the host was away: clocks differ a little.
  clock.fit(8000, 8050, 1200, 1210);
  EXPECT_EQ(clock.host_ns(1200), 8000u);
}

TEST(GpuClock, WrapsAround) {
  const uint64_t top = (uint64_t{1} << 36) - 1;
  GpuClock clock(36, 2.5);
  EXPECT_EQ(clock.between_ns(top - 1, 2), 10u);
  clock.fit(1000, 1010, top - 1, 2);
  EXPECT_EQ(clock.host_ns(2), 1010u);
  // Bits above the counter's are not looked at.
  EXPECT_EQ(clock.between_ns(4 | uint64_t{1} << 40, 8), 10u);
  // An end that was noted a little early is not an age.
  EXPECT_EQ(clock.between_ns(10, 9), 0u);
}

StepRow row(uint32_t index, const char* name) { return {index, name, "conv", "cpu", 4096}; }

TEST(CostTable, DearestFirstAndAllOfIt) {
  const CostTable table =
      make_cost_table({row(0, "a"), row(2, "b"), row(5, "c")}, {10.0, 30.0, std::nullopt}, 60);
  EXPECT_EQ(table.steps[0].row.name, "b");
  EXPECT_EQ(table.steps[1].row.name, "a");
  EXPECT_EQ(table.steps[2].row.name, "c");
  EXPECT_EQ(table.in_steps, 40);
  EXPECT_EQ(table.total(), 100);
  EXPECT_EQ(table.share(30), 0.3);
  const std::string text = to_text(table, "us");
  EXPECT_THAT(text, HasSubstr("30.0  30.0 %          4,096  cpu       conv  b\n"));
  EXPECT_THAT(text, HasSubstr("40.0 %  in 3 steps\n"));
  EXPECT_THAT(text, HasSubstr("60.0 %  outside steps\n"));
  EXPECT_THAT(text, HasSubstr("1 step(s) without a time"));
  EXPECT_THAT(to_text(make_cost_table({row(0, "a")}, {1234567.0}, 0), "instructions"),
              HasSubstr("1,234,567 100.0 %"));
  EXPECT_EQ(make_cost_table({}, {}, 0).share(1), 0);
}

std::vector<std::byte> digits_program(bool mixed) {
  planner::ModelFile model;
  model.method = "main";
  model.bytes =
      read_file(std::filesystem::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  if (mixed) {
    options.shader_filter = [](const Step& step) {
      return step.record().op != static_cast<uint32_t>(Op::kMaxPool);
    };
  }
  return planner::plan_models({model}, options).program;
}

BoundInputs one_image() {
  BoundInputs inputs;
  inputs.tensors = {{DType::kFloat32, {1, 1, 8, 8}, std::vector<std::byte>(256)}};
  return inputs;
}

RunnerOptions profiled_on(const char* device, Profiler* profiler, uint32_t threads = 1) {
  return {parse_device(device), "", threads, "", profiler};
}

TEST(Profile, OfCpuSteps) {
  const ProgramFile file(digits_program(false), "digits");
  Runner plain(file, profiled_on("cpu", nullptr), nullptr);
  const auto expected = plain.run(one_image().tensors);
  Profiler profiler(true);
  Runner runner(file, profiled_on("cpu", &profiler, 2), nullptr);
  RepeatOptions options;
  options.least = options.most = 5;
  const Repeated repeated = repeat(runner, one_image(), options, nullptr);
  EXPECT_EQ(repeated.outputs[0].bytes, expected[0].bytes);
  EXPECT_EQ(repeated.times.runs, 5u);
  EXPECT_LE(repeated.times.min_ms, repeated.times.median_ms);
  EXPECT_LE(repeated.times.median_ms, repeated.times.p95_ms);
  const CostTable table = time_table(file, 0, runner.variant(), profiler);
  EXPECT_EQ(table.steps.size(), runner.info().counts.cpu);
  for (const StepCost& step : table.steps) {
    ASSERT_TRUE(step.cost.has_value());
    EXPECT_EQ(step.row.where, "cpu");
    EXPECT_GT(step.row.bytes, 0u);
    EXPECT_THAT(step.row.name, HasSubstr("/"));  // the model's nodes
  }
  EXPECT_LE(table.in_steps, repeated.times.p95_ms * 1e3);
  const Timeline& timeline = profiler.timeline();
  EXPECT_EQ(timeline.steps.size(), 5u * runner.info().counts.cpu);
  EXPECT_TRUE(timeline.device.empty());
  EXPECT_FALSE(timeline.cut());
  // Shares of steps lie in steps.
  ASSERT_EQ(timeline.threads.size(), 2u);
  for (const auto& thread : timeline.threads) {
    for (const Span& share : thread) {
      EXPECT_TRUE(std::any_of(timeline.steps.begin(), timeline.steps.end(), [&](const Span& step) {
        return step.step == share.step && step.begin_ns <= share.begin_ns &&
               share.end_ns <= step.end_ns;
      }));
    }
  }
}

TEST(Profile, OfDeviceSteps) {
  VulkanHost host(vulkan_options(parse_device("vulkan"), ""));
  std::string reason;
  if (!host.usable(reason)) GTEST_SKIP() << reason;
  const ProgramFile file(digits_program(true), "digits");
  Runner plain(file, profiled_on("vulkan", nullptr), &host);
  const auto expected = plain.run(one_image().tensors);
  Profiler profiler(true);
  Runner runner(file, profiled_on("vulkan", &profiler), &host);
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(runner.run(one_image().tensors)[0].bytes, expected[0].bytes);
  }
  const Timeline& timeline = profiler.timeline();
  if (timeline.device.empty()) GTEST_SKIP() << "the queue has no clock";
  const CostTable table = time_table(file, 0, runner.variant(), profiler);
  EXPECT_EQ(table.steps.size(), runner.info().counts.vulkan + runner.info().counts.cpu +
                                    runner.info().counts.transfers);
  for (const StepCost& step : table.steps) EXPECT_TRUE(step.cost.has_value()) << step.row.name;
  EXPECT_EQ(timeline.device.size(),
            3u * (runner.info().counts.vulkan + runner.info().counts.transfers));
  // In order, and while the host waited for them.
  uint64_t last = 0;
  for (const Span& span : timeline.device) {
    EXPECT_LE(last, span.begin_ns);
    EXPECT_LE(span.begin_ns, span.end_ns);
    last = span.end_ns;
    EXPECT_TRUE(std::any_of(timeline.host.begin(), timeline.host.end(), [&](const Phase& phase) {
      return std::string(phase.name) == "submit and wait" && phase.begin_ns <= span.begin_ns &&
             span.end_ns <= phase.end_ns + 1;
    }));
  }
}

TEST(Profile, AfterALostDeviceIsOfTheVariantThatTookOver) {
  VulkanHostOptions options = vulkan_options(parse_device("vulkan"), "");
  options.lose_at_submission = 2;
  VulkanHost host(options);
  std::string reason;
  if (!host.usable(reason)) GTEST_SKIP() << reason;
  const ProgramFile file(digits_program(false), "digits");
  Profiler profiler(true);
  Runner runner(file, profiled_on("vulkan", &profiler), &host);
  for (int run = 0; run < 3; ++run) runner.run(one_image().tensors);
  EXPECT_FALSE(runner.info().on_vulkan);
  const CostTable table = time_table(file, 0, runner.variant(), profiler);
  EXPECT_EQ(table.steps.size(), runner.info().counts.cpu);
  EXPECT_EQ(profiler.timeline().steps.size(), 2u * runner.info().counts.cpu);
}

TEST(Profile, ATimelineIsBoundedAndSaysWhenItIsCut) {
  Profiler profiler(true);
  profiler.begin_variant(1, 1);
  for (size_t i = 0; i <= kTimelineEventsMax; ++i) {
    EXPECT_FALSE(profiler.timeline().cut());
    profiler.phase("again", i, i + 1);
    if (i + 1 >= kTimelineEventsMax) break;
  }
  EXPECT_TRUE(profiler.timeline().cut());
  profiler.phase("one too many", 0, 1);
  EXPECT_EQ(profiler.timeline().host.size(), kTimelineEventsMax);
}

TEST(Repeat, UntilBothTimeAndNumberAreReached) {
  const ProgramFile file(digits_program(false), "digits");
  Runner runner(file, profiled_on("cpu", nullptr), nullptr);
  uint32_t calls = 0;
  const Repeated few = repeat(runner, one_image(), {false, 3, 0, 100}, [&calls] { ++calls; });
  EXPECT_EQ(few.times.runs, 3u);
  EXPECT_EQ(calls, 4u);  // the first does not count
  const Repeated capped = repeat(runner, one_image(), {true, 1, 1000, 7}, nullptr);
  EXPECT_EQ(capped.times.runs, 7u);
  const uint64_t begin_ns = now_ns();
  repeat(runner, one_image(), {true, 1, 0.05, UINT32_MAX}, nullptr);
  EXPECT_GE(now_ns() - begin_ns, 50000000u);
}

TEST(Memory, IsTold) {
  const ResidentMemory memory = resident_memory();
  EXPECT_GT(memory.bytes, 1u << 20);
  EXPECT_GE(memory.peak_bytes, memory.bytes);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
