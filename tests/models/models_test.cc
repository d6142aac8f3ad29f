// Plans and runs real models and compares with their stored outputs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "planner/plan.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;

struct Model {
  const char* name;
  uint32_t inputs, outputs;
  std::map<std::string, std::vector<uint32_t>> shapes;
};

fs::path shared_folder() {
  const char* variable = std::getenv("ARENITE_SHARED");
  return variable != nullptr ? variable : ARENITE_SHARED_DIR;
}

std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> result(bytes.size() / sizeof(float));
  std::memcpy(result.data(), bytes.data(), result.size() * sizeof(float));
  return result;
}

// Largest difference over largest reference; infinite where something is no number.
double relative_difference(const std::vector<float>& got, const std::vector<float>& expected) {
  double difference = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double d = std::fabs(double{got[i]} - double{expected[i]});
    if (!std::isfinite(d)) return INFINITY;
    difference = std::max(difference, d);
    largest = std::max(largest, std::fabs(double{expected[i]}));
  }
  return largest == 0 ? difference : difference / largest;
}

// Classes lie along the last dim larger than 1. Where the two largest are further apart than twice
// the tolerance, the largest must be the same one.
void expect_same_classes(const std::vector<float>& got, const std::vector<float>& expected,
                         const Tensor& tensor, double tolerance) {
  uint32_t axis = tensor.rank;
  while (axis > 0 && tensor.dims[axis - 1] <= 1) --axis;
  if (axis == 0) return;
  const size_t classes = tensor.dims[axis - 1];
  for (size_t row = 0; row + classes <= expected.size(); row += classes) {
    const auto first = expected.begin() + static_cast<std::ptrdiff_t>(row);
    const auto last = first + static_cast<std::ptrdiff_t>(classes);
    std::vector<float> sorted(first, last);
    std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
    if (double{sorted[0]} - double{sorted[1]} <= 2 * tolerance) continue;
    const auto got_first = got.begin() + static_cast<std::ptrdiff_t>(row);
    EXPECT_EQ(
        std::max_element(first, last) - first,
        std::max_element(got_first, got_first + static_cast<std::ptrdiff_t>(classes)) - got_first)
        << "row " << row / classes;
  }
}

class ModelsTest : public testing::TestWithParam<Model> {};

TEST_P(ModelsTest, CpuMatchesStoredOutputs) {
  const Model& model = GetParam();
  const fs::path folder = shared_folder() / "models" / model.name;
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is absent";
  planner::ModelFile file;
  file.method = "main";
  file.bytes = read_file(folder / "model.onnx");
  file.import.shapes = model.shapes;
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  const planner::PlanResult planned = planner::plan_models({file}, options);

  const OpenProgram program(planned.program);
  std::vector<std::vector<std::byte>> inputs, expected;
  for (uint32_t i = 0; i < model.inputs; ++i) {
    inputs.push_back(read_file(folder / ("in_" + std::to_string(i) + ".bin")));
  }
  RunRequest request;
  request.variant = program->methods()[0].variant_count - 1;
  const auto outputs = run(*program, request, inputs);
  ASSERT_EQ(outputs.size(), model.outputs);
  const planner::VariantReport& report = planned.report.variants.back();
  std::cout << model.name << ": " << report.steps << " steps, " << report.view_steps << " views, "
            << report.copies.size() << " copies, peak " << report.memories.peak_sum_bytes
            << " bytes, planned in " << planned.report.seconds << " s";
  const format::MethodRecord& method = program->methods()[0];
  const format::VariantRecord& variant = program->variants()[request.variant];
  for (uint32_t i = 0; i < model.outputs; ++i) {
    const auto got = floats(outputs[i]);
    const auto reference = floats(read_file(folder / ("out_" + std::to_string(i) + ".bin")));
    ASSERT_EQ(got.size(), reference.size());
    const double difference = relative_difference(got, reference);
    std::cout << ", d" << i << " " << difference;
    EXPECT_LE(difference, 1e-4);
    float largest = 0;
    for (const float x : reference) largest = std::max(largest, std::fabs(x));
    const Bindings bindings = program->bindings_of(variant);
    const Tensor tensor = tensor_of(bindings, program->outputs_of(method, variant)[i]);
    expect_same_classes(got, reference, tensor, 1e-4 * double{largest});
  }
  std::cout << "\n";
}

INSTANTIATE_TEST_SUITE_P(Shared, ModelsTest,
                         testing::Values(Model{"onnx_mnist8", 1, 1, {}},
                                         Model{"onnx_ultraface_rfb320", 1, 2, {}},
                                         Model{"onnx_tv_mobilenet_v2", 1, 1, {}},
                                         Model{"onnx_tv_mobilenet_v3_small", 1, 1, {}},
                                         Model{"onnx_st_mobilenetv2_035", 1, 1, {}},
                                         Model{"onnx_ppocr_cls", 1, 1, {{"x", {1, 3, 48, 192}}}},
                                         Model{"onnx_light_squeezenet", 1, 1, {}},
                                         Model{"onnx_light_resnet50", 1, 1, {}},
                                         Model{"onnx_light_shufflenet", 1, 1, {}}),
                         [](const testing::TestParamInfo<Model>& model) {
                           return std::string(model.param.name);
                         });

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
