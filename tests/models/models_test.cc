// Plans real models, runs them on the CPU and on Vulkan, and compares with their stored outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "planner/import/onnx/import.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "tests/models/model_files.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

constexpr double kTolerance = 1e-4;  // of the largest reference

class ModelsTest : public testing::TestWithParam<Model> {};

planner::PlanResult plan_for_host(const LoadedModel& model) {
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.optimize = planner::Optimize::kMemory;
  return planner::plan_models({model.file}, options);
}

// One row of the table that test.sh shows.
void compare(const char* name, const char* device, const LoadedModel& model,
             const planner::PlanResult& planned, const Program& program, uint32_t variant,
             const std::vector<std::vector<std::byte>>& outputs) {
  const format::MethodRecord& method = program.methods()[0];
  const format::VariantRecord& record = program.variants()[variant];
  const Bindings bindings = program.bindings_of(record);
  ASSERT_EQ(outputs.size(), model.outputs.size());
  double worst = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor tensor = tensor_of(bindings, program.outputs_of(method, record)[i]);
    worst = std::max(
        worst, expect_close(floats(outputs[i]), floats(model.outputs[i]), tensor, kTolerance));
  }
  const planner::VariantReport& report = planned.report.variants[variant];
  std::printf(
      "%-28s %-7s d %.1e  steps %3u  views %2u  vulkan %3u  cpu %3u  copies %2zu  peak %9llu\n",
      name, device, worst, report.counts.of_model(), report.counts.views, report.counts.vulkan,
      report.counts.cpu, report.copies.size(),
      static_cast<unsigned long long>(report.memories.peak_sum_bytes));
}

TEST_P(ModelsTest, CpuMatchesStoredOutputs) {
  const auto model = load_model(GetParam());
  if (!model.has_value()) GTEST_SKIP() << GetParam().name << " is absent";
  const planner::PlanResult planned = plan_for_host(*model);
  const OpenProgram program(planned.program);
  RunRequest request;
  request.variant = program->methods()[0].variant_count - 1;
  compare(GetParam().name, "cpu", *model, planned, *program, request.variant,
          run(*program, request, model->inputs));
}

// Every pass that lowers the peak on, off, and each off alone; for memory and for speed.
TEST_P(ModelsTest, PassesThatLowerThePeakKeepEveryBit) {
  const auto model = load_model(GetParam());
  if (!model.has_value()) GTEST_SKIP() << GetParam().name << " is absent";
  std::vector<std::vector<std::string>> choices{{}, {}};
  for (const planner::PeakPass& pass : planner::peak_passes()) {
    choices[1].push_back(pass.name);
    choices.push_back({pass.name});
  }
  std::vector<std::vector<std::byte>> expected;
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  choices.emplace_back();
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::vector<std::string>& disabled = choices[i];
    options.disabled_passes = disabled;
    const bool last = i + 1 == choices.size();
    options.optimize = last ? planner::Optimize::kSpeed : planner::Optimize::kMemory;
    const OpenProgram program(planner::plan_models({model->file}, options).program);
    RunRequest request;
    request.variant = program->methods()[0].variant_count - 1;
    const auto outputs = run(*program, request, model->inputs);
    if (expected.empty()) expected = outputs;
    EXPECT_TRUE(outputs == expected) << "without " << (disabled.empty() ? "none" : disabled[0]);
  }
}

TEST_P(ModelsTest, VulkanMatchesStoredOutputs) {
  const auto model = load_model(GetParam());
  if (!model.has_value()) GTEST_SKIP() << GetParam().name << " is absent";
  const planner::PlanResult planned = plan_for_host(*model);
  const OpenProgram program(planned.program);
  const planner::VariantReport& report = planned.report.variants[0];
  ASSERT_TRUE(report.vulkan);
  EXPECT_EQ(report.counts.cpu, 0u) << "every step that is no view runs on Vulkan";
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  const auto outputs = vulkan.run(*program, 0, 0, model->inputs);
  compare(GetParam().name, "vulkan", *model, planned, *program, 0, outputs);
  EXPECT_EQ(vulkan.counters().dispatches_recorded, report.dispatches);
  EXPECT_GE(report.dispatches, report.counts.vulkan);
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

TEST(BoardModelsTest, UltrafaceSpillsOverTheMemoriesOfACortexM55AndIsRight) {
  const auto model = load_model({"onnx_ultraface_rfb320", 1, 2, {}});
  if (!model.has_value()) GTEST_SKIP() << "onnx_ultraface_rfb320 is absent";
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  const auto planned = planner::plan_models({model->file}, options);
  EXPECT_GE(planned.report.variants[0].arenas.size(), 2u);
  const OpenProgram program(planned.program);
  compare("onnx_ultraface, mps3-an547", "cpu", *model, planned, *program, 0,
          run(*program, {}, model->inputs));
}

// The constant weights of the light graphs hide mistakes in the order of elements: random ones
// don't. There is no stored output for them, so the CPU's is the reference.
class RandomWeightsTest : public testing::TestWithParam<const char*> {};

planner::Graph graph_with_random_weights(const planner::ModelFile& file) {
  planner::Graph graph = planner::import_onnx(file.bytes, file.import);
  std::mt19937 random(0);
  for (const planner::Node& node : graph.nodes) {
    if (node.op != Op::kConv && node.op != Op::kMatMul) continue;
    planner::Value& weights = graph.values[node.inputs[1]];
    EXPECT_NE(weights.constant, nullptr);
    const std::vector<uint32_t> dims = bounds(weights.dims);
    const uint32_t outputs = node.op == Op::kConv ? dims.front() : dims.back();
    // Keeps the size of what flows through the graph from layer to layer.
    const double scale =
        std::sqrt(2.0 * static_cast<double>(outputs) / static_cast<double>(weights.elements()));
    auto bytes = std::make_shared<std::vector<std::byte>>(weights.dense_bytes());
    for (uint64_t i = 0; i < weights.elements(); ++i) {
      const double uniform = static_cast<double>(random()) / 4294967296.0 - 0.5;
      const auto weight = static_cast<float>(3.46 * scale * uniform);
      std::memcpy(bytes->data() + i * sizeof(weight), &weight, sizeof(weight));
    }
    weights.constant = std::move(bytes);
  }
  planner::optimize(graph);
  return graph;
}

TEST_P(RandomWeightsTest, VulkanMatchesCpu) {
  auto model = load_model({GetParam(), 1, 1, {}});
  if (!model.has_value()) GTEST_SKIP() << GetParam() << " is absent";
  std::mt19937 random(1);
  for (size_t at = 0; at < model->inputs[0].size(); at += sizeof(float)) {
    const float x = static_cast<float>(random()) / 4294967296.0f - 0.5f;
    std::memcpy(model->inputs[0].data() + at, &x, sizeof(x));
  }
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  const auto planned =
      planner::plan_graphs({{"main", graph_with_random_weights(model->file), {}}}, options);
  const OpenProgram program(planned.program);
  RunRequest request;
  request.variant = 1;
  model->outputs = run(*program, request, model->inputs);
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  const auto outputs = vulkan.run(*program, 0, 0, model->inputs);
  compare((std::string(GetParam()) + ", random").c_str(), "vulkan", *model, planned, *program, 0,
          outputs);
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Light, RandomWeightsTest,
                         testing::Values("onnx_light_squeezenet", "onnx_light_resnet50",
                                         "onnx_light_shufflenet"));

INSTANTIATE_TEST_SUITE_P(Shared, ModelsTest, testing::ValuesIn(all_models()),
                         [](const testing::TestParamInfo<Model>& model) {
                           return std::string(model.param.name);
                         });

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
