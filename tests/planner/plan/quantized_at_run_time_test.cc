// A model whose scale and zero point the run gives is the GPU's alone, with the bits of the CPU.
#include <gtest/gtest.h>

#include <cstring>

#include "planner/plan.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

std::vector<std::byte> dynamic_product() {
  planner::ModelBuilder model(13);
  std::vector<int> weights, zero_points;
  for (int i = 0; i < 24 * 10; ++i) weights.push_back(i * 37 % 255 - 127);
  for (int i = 0; i < 10; ++i) zero_points.push_back(3 * i - 11);
  model.input("x", {"5", "24"});
  model.initializer("w", planner::integer_tensor(DType::kInt8, {24, 10}, weights));
  model.initializer("w_zero", planner::integer_tensor(DType::kInt8, {10}, zero_points));
  model.initializer("w_scale", planner::float_tensor({}, {0.03f}));
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "scale", "zero"});
  model.node("MatMulInteger", {"q", "w", "zero", "w_zero"}, {"sums"});
  model.node("Cast", {"sums"}, {"numbers"}).with("to", 1);
  model.node("Mul", {"scale", "w_scale"}, {"factor"});
  model.node("Mul", {"numbers", "factor"}, {"y"});
  model.output("y");
  return model.bytes();
}

TEST(QuantizedAtRunTime, IsTheGpusAlone) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  planner::ModelFile model;
  model.method = "main";
  model.bytes = dynamic_product();
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  const planner::PlanResult planned = planner::plan_models({model}, options);
  EXPECT_EQ(planned.report.variants[0].counts.cpu, 0u);
  const OpenProgram program(planned.program);
  std::vector<float> x(5 * 24);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 61 % 97) / 7.0f - 5.0f;
  std::vector<std::vector<std::byte>> inputs(1, std::vector<std::byte>(x.size() * sizeof(float)));
  std::memcpy(inputs[0].data(), x.data(), inputs[0].size());
  RunRequest on_cpu;
  on_cpu.variant = program->methods()[0].variant_count - 1;
  EXPECT_EQ(vulkan.run(*program, 0, 0, inputs), run(*program, on_cpu, inputs));
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
