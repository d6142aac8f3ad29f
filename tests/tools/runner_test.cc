// Tests running programs as the tools do: pieces, lost devices, what the plan reserved for them.
#include "tools/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "tests/tools/on_device.h"

namespace arenite::tools {
namespace {

const std::filesystem::path kDigits =
    std::filesystem::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx";

std::vector<std::byte> plan_digits(bool reserve, bool mixed = false) {
  planner::ModelFile model;
  model.method = "main";
  model.bytes = read_file(kDigits);
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.reserve_fallback = reserve;
  if (mixed) {
    // A step on the CPU in the middle makes two submissions of a run.
    options.shader_filter = [](const Step& step) {
      return step.record().op != static_cast<uint32_t>(Op::kMaxPool);
    };
  }
  return planner::plan_models({model}, options).program;
}

// The digits in batches of 1 to 4, as each run chooses.
std::vector<std::byte> plan_batches() {
  const auto graph_of = [bytes = read_file(kDigits)](uint32_t batch) {
    planner::ImportOptions import;
    import.batch = batch;
    planner::Graph graph = planner::import_model(bytes, import).front().graph;
    planner::optimize(graph);
    return graph;
  };
  planner::NamedGraph named;
  named.method = "main";
  named.graph = graph_of(4);
  named.symbols = {{"batch", 1, 4}};
  named.graph_at = [graph_of](const planner::SymbolNumbers& n) { return graph_of(n[0]); };
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  return planner::plan_graphs({named}, options).program;
}

std::vector<HostTensor> test_image() {
  HostTensor image{DType::kFloat32, {1, 1, 8, 8}, std::vector<std::byte>(256)};
  for (uint32_t i = 0; i < 64; ++i) {
    const float pixel = static_cast<float>(i * 5 % 17) / 16;
    std::memcpy(image.bytes.data() + 4 * i, &pixel, 4);
  }
  return {image};
}

std::vector<float> floats(const HostTensor& tensor) {
  std::vector<float> result(tensor.bytes.size() / 4);
  std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
  return result;
}

std::vector<HostTensor> cpu_outputs(const ProgramFile& file) {
  return Runner(file, on("cpu"), nullptr).run(test_image());
}

std::vector<HostTensor> images(uint32_t batch) {
  HostTensor image = test_image()[0];
  const std::vector<std::byte> one = image.bytes;
  image.dims[0] = batch;
  for (uint32_t i = 1; i < batch; ++i) {
    image.bytes.insert(image.bytes.end(), one.begin(), one.end());
  }
  return {image};
}

// Results of other devices differ in rounding only.
void expect_close(const HostTensor& found, const HostTensor& expected) {
  EXPECT_EQ(found.dims, expected.dims);
  const std::vector<float> a = floats(found), b = floats(expected);
  ASSERT_EQ(a.size(), b.size());
  float largest = 0;
  for (const float x : b) largest = std::max(largest, std::fabs(x));
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5f * largest);
}

class OnVulkan : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!VulkanHost(host_options(0)).usable(reason)) GTEST_SKIP() << reason;
  }
  static VulkanHostOptions host_options(uint32_t lose_at) {
    VulkanHostOptions options;
    options.lose_at_submission = lose_at;
    return options;
  }
};

TEST_F(OnVulkan, ALostDeviceIsMadeUpForWhereThePlanReservedIt) {
  for (const bool mixed : {false, true}) {
    const ProgramFile file(plan_digits(true, mixed), "digits");
    const std::vector<HostTensor> expected = cpu_outputs(file);
    for (uint32_t lost = 1; lost <= (mixed ? 2u : 1u); ++lost) {
      SCOPED_TRACE(testing::Message() << "mixed " << mixed << ", submission " << lost);
      VulkanHost host(host_options(lost));
      Runner runner(file, on("vulkan"), &host);
      EXPECT_TRUE(runner.info().on_vulkan);
      const std::vector<HostTensor> found = runner.run(test_image());
      EXPECT_EQ(found[0].bytes, expected[0].bytes);
      EXPECT_FALSE(runner.info().on_vulkan);
      EXPECT_EQ(runner.info().counts.vulkan, 0u);
      ASSERT_TRUE(runner.info().fell_back.has_value());
      EXPECT_THAT(*runner.info().fell_back, testing::HasSubstr("the device was lost"));
      // And it stays there.
      EXPECT_EQ(runner.run(test_image())[0].bytes, expected[0].bytes);
    }
  }
}

TEST_F(OnVulkan, ALaterRunMayLoseTheDevice) {
  const ProgramFile file(plan_digits(true), "digits");
  const std::vector<HostTensor> expected = cpu_outputs(file);
  VulkanHost host(host_options(3));
  Runner runner(file, on("vulkan"), &host);
  for (uint32_t run = 1; run <= 4; ++run) {
    const std::vector<HostTensor> found = runner.run(test_image());
    EXPECT_EQ(runner.info().on_vulkan, run < 3) << run;
    expect_close(found[0], expected[0]);
  }
}

TEST_F(OnVulkan, SizesFollowTheRunsAlsoBehindALostDevice) {
  const ProgramFile file(plan_batches(), "digits");
  VulkanHost host(host_options(6));
  Runner runner(file, on("vulkan"), &host);
  Runner on_cpu(file, on("cpu"), nullptr);
  uint32_t run = 0;
  for (const uint32_t batch : {4u, 1u, 3u, 3u, 2u, 1u, 4u, 2u}) {
    SCOPED_TRACE(batch);
    const std::vector<HostTensor> found = runner.run(images(batch));
    EXPECT_EQ(found[0].dims[0], batch);
    expect_close(found[0], on_cpu.run(images(batch))[0]);
    EXPECT_EQ(runner.info().on_vulkan, ++run < 6);
  }
}

TEST_F(OnVulkan, WithoutReserveALostDeviceIsAFailedRun) {
  const ProgramFile file(plan_digits(false), "digits");
  VulkanHost host(host_options(1));
  Runner runner(file, on("vulkan"), &host);
  try {
    (void)runner.run(test_image());
    ADD_FAILURE() << "expected a RunError";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::StartsWith("digits: "),
                                             testing::HasSubstr("the device was lost"),
                                             testing::HasSubstr("--fallback none")));
  }
}

TEST_F(OnVulkan, AnInterruptedRunIsMadeUpForToo) {
  const ProgramFile file(plan_digits(true, true), "digits");
  VulkanHost host(host_options(2));
  Runner runner(file, on("vulkan"), &host);
  const std::vector<HostTensor> found = runner.run_in_pieces(test_image(), 1);
  EXPECT_EQ(found[0].bytes, cpu_outputs(file)[0].bytes);
  EXPECT_TRUE(runner.info().fell_back.has_value());
}

TEST_F(OnVulkan, FallbackNoneNeedsNoMoreMemory) {
  uint64_t bytes[2] = {};
  for (const bool reserve : {false, true}) {
    const ProgramFile file(plan_digits(reserve), "digits");
    VulkanHost host(host_options(0));
    const Runner runner(file, on("vulkan"), &host);
    for (const RunInfo::Arena& arena : runner.info().arenas) bytes[reserve ? 1 : 0] += arena.bytes;
  }
  EXPECT_LE(bytes[0], bytes[1]);
}

TEST_F(OnVulkan, PiecesGiveTheSame) {
  for (const bool mixed : {false, true}) {
    const ProgramFile file(plan_digits(true, mixed), "digits");
    VulkanHost host(host_options(0));
    Runner runner(file, on("vulkan"), &host);
    EXPECT_EQ(runner.info().counts.cpu, mixed ? 1u : 0u);
    const std::vector<HostTensor> expected = runner.run(test_image());
    for (const uint32_t steps : {1u, 2u, 3u}) {
      EXPECT_EQ(runner.run_in_pieces(test_image(), steps)[0].bytes, expected[0].bytes) << steps;
    }
    EXPECT_EQ(runner.run(test_image())[0].bytes, expected[0].bytes);
    EXPECT_FALSE(runner.info().fell_back.has_value());
    expect_close(expected[0], cpu_outputs(file)[0]);
  }
}

TEST(OnCpu, PiecesGiveTheSame) {
  const ProgramFile file(plan_digits(true), "digits");
  Runner runner(file, on("cpu"), nullptr);
  const std::vector<HostTensor> expected = runner.run(test_image());
  for (const uint32_t steps : {1u, 2u, 3u, 1000u}) {
    EXPECT_EQ(runner.run_in_pieces(test_image(), steps)[0].bytes, expected[0].bytes) << steps;
  }
}

TEST(OnCpu, ThreadsDoNotChangeABit) {
  const ProgramFile file(plan_digits(true), "digits");
  const std::vector<HostTensor> expected = cpu_outputs(file);
  for (const uint32_t threads : {kAutoThreads, 2u, 5u, 100u}) {
    RunnerOptions options = on("cpu");
    options.threads = threads;
    Runner runner(file, options, nullptr);
    EXPECT_EQ(runner.info().threads, thread_count(threads, 16));
    EXPECT_EQ(runner.run(test_image())[0].bytes, expected[0].bytes) << threads;
  }
}

TEST(Stacks, EachRunGetsItsSlice) {
  const ProgramFile file(plan_digits(true), "digits");
  Runner runner(file, on("cpu"), nullptr);
  HostTensor stack{DType::kFloat32, {3, 1, 1, 8, 8}, {}};
  for (uint32_t i = 0; i < 3; ++i) {
    HostTensor image = test_image()[0];
    image.bytes[4 * i + 3] = std::byte{0x40};
    stack.bytes.insert(stack.bytes.end(), image.bytes.begin(), image.bytes.end());
  }
  const BoundInputs bound = bind_inputs(runner, {stack});
  EXPECT_TRUE(bound.stacked);
  EXPECT_EQ(bound.runs, 3u);
  const std::vector<HostTensor> outputs = run_bound(runner, bound);
  EXPECT_THAT(outputs[0].dims, testing::ElementsAre(3, 1, 10));
  EXPECT_EQ(outputs[0].bytes.size(), 3u * 40);
  for (uint32_t i = 0; i < 3; ++i) {
    HostTensor image = test_image()[0];
    image.bytes[4 * i + 3] = std::byte{0x40};
    const std::vector<HostTensor> one = runner.run(std::vector<HostTensor>{image});
    EXPECT_EQ(std::memcmp(outputs[0].bytes.data() + 40 * i, one[0].bytes.data(), 40), 0) << i;
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
