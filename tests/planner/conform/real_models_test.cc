// Runs the shared real models through import, passes and interpreter, against their stored outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "planner/graph/interpret.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::filesystem::path shared_models() {
  const char* folder = std::getenv("ARENITE_SHARED");
  return std::filesystem::path(folder != nullptr ? folder : ARENITE_SHARED_DIR) / "models";
}

// Within 1e-4 of the largest expected element.
void expect_match(const std::vector<std::byte>& expected_bytes,
                  const std::vector<std::byte>& found_bytes, const std::string& where) {
  const std::vector<float> expected = floats_of(expected_bytes);
  const std::vector<float> found = floats_of(found_bytes);
  ASSERT_EQ(expected.size(), found.size()) << where;
  float largest = 0;
  float difference = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_FALSE(std::isnan(found[i])) << where << ", element " << i;
    largest = std::max(largest, std::fabs(expected[i]));
    difference = std::max(difference, std::fabs(expected[i] - found[i]));
  }
  EXPECT_LE(difference, 1e-4f * largest) << where;
}

struct RealModel {
  const char* name;
  size_t nodes;  // after the passes: a fold or a fusion that is lost shows here
};

class RealModels : public ::testing::TestWithParam<RealModel> {};

TEST_P(RealModels, MatchTheirStoredOutputs) {
  const std::filesystem::path folder = shared_models() / GetParam().name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no " << folder;
  ImportOptions options;
  if (folder.filename() == "onnx_ppocr_cls") options.shapes["x"] = {1, 3, 48, 192};
  Graph graph = import_onnx(read_file(folder / "model.onnx"), options);
  optimize(graph);
  EXPECT_EQ(graph.nodes.size(), GetParam().nodes);
  std::vector<std::vector<std::byte>> inputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    inputs.push_back(read_file(folder / ("in_" + std::to_string(i) + ".bin")));
  }
  const auto outputs = interpret(graph, inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto stored = read_file(folder / ("out_" + std::to_string(i) + ".bin"));
    expect_match(stored, outputs[i], "output " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RealModels,
    ::testing::Values(RealModel{"onnx_mnist8", 6}, RealModel{"onnx_ultraface_rfb320", 72},
                      RealModel{"onnx_tv_mobilenet_v2", 55},
                      RealModel{"onnx_tv_mobilenet_v3_small", 74}, RealModel{"onnx_cct2", 53},
                      RealModel{"onnx_tinyvit_demo", 169}, RealModel{"onnx_st_mobilenetv2_035", 56},
                      RealModel{"onnx_ppocr_cls", 76}, RealModel{"onnx_light_squeezenet", 39},
                      RealModel{"onnx_light_shufflenet", 111},
                      RealModel{"onnx_light_resnet50", 58}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
