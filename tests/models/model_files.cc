// Finds the models in the shared folder by name, and reads their tensors' files.
#include "tests/models/model_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>

namespace arenite::test {
namespace {

namespace fs = std::filesystem;

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

void expect_same_classes(const std::vector<float>& got, const std::vector<float>& expected,
                         size_t classes, double gap) {
  using Offset = std::ptrdiff_t;
  for (size_t row = 0; row + classes <= expected.size(); row += classes) {
    const auto first = expected.begin() + static_cast<Offset>(row);
    const auto last = first + static_cast<Offset>(classes);
    std::vector<float> sorted(first, last);
    std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
    if (double{sorted[0]} - double{sorted[1]} <= gap) continue;
    const auto got_first = got.begin() + static_cast<Offset>(row);
    EXPECT_EQ(std::max_element(first, last) - first,
              std::max_element(got_first, got_first + static_cast<Offset>(classes)) - got_first)
        << "row " << row / classes;
  }
}

}  // namespace

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

std::vector<Model> all_models() {
  return {{"onnx_mnist8", 1, 1, {}},
          {"onnx_ultraface_rfb320", 1, 2, {}},
          {"onnx_tv_mobilenet_v2", 1, 1, {}},
          {"onnx_tv_mobilenet_v3_small", 1, 1, {}},
          {"onnx_st_mobilenetv2_035", 1, 1, {}},
          {"onnx_ppocr_cls", 1, 1, {{"x", {1, 3, 48, 192}}}},
          {"onnx_light_squeezenet", 1, 1, {}},
          {"onnx_light_resnet50", 1, 1, {}},
          {"onnx_light_shufflenet", 1, 1, {}},
          {"tfl_dtln_1", 2, 2, {}},
          {"tfl_mlperf_ad_fp32", 1, 1, {}},
          {"tfl_mlperf_ic_resnet8_fp32", 1, 1, {}},
          {"tfl_mp_face_short", 1, 2, {}},
          {"tfl_mp_selfie_seg", 1, 1, {}}};
}

std::optional<LoadedModel> load_model(const Model& model) {
  const fs::path folder = shared_folder() / "models" / model.name;
  if (!fs::exists(folder)) return std::nullopt;
  LoadedModel loaded;
  loaded.file.method = "main";
  const fs::path onnx = folder / "model.onnx";
  loaded.file.bytes = read_file(fs::exists(onnx) ? onnx : folder / "model.tflite");
  loaded.file.import.shapes = model.shapes;
  for (uint32_t i = 0; i < model.inputs; ++i) {
    loaded.inputs.push_back(read_file(folder / ("in_" + std::to_string(i) + ".bin")));
  }
  for (uint32_t i = 0; i < model.outputs; ++i) {
    loaded.outputs.push_back(read_file(folder / ("out_" + std::to_string(i) + ".bin")));
  }
  return loaded;
}

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> result(bytes.size() / sizeof(float));
  std::memcpy(result.data(), bytes.data(), result.size() * sizeof(float));
  return result;
}

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

double expect_close(const std::vector<float>& got, const std::vector<float>& expected,
                    const Tensor& tensor, double tolerance) {
  EXPECT_EQ(got.size(), expected.size());
  if (got.size() != expected.size()) return INFINITY;
  const double difference = relative_difference(got, expected);
  EXPECT_LE(difference, tolerance);
  uint32_t axis = tensor.rank();
  while (axis > 0 && tensor.dims[axis - 1] <= 1) --axis;
  if (axis > 0) {
    double largest = 0;
    for (const float x : expected) largest = std::max(largest, std::fabs(double{x}));
    expect_same_classes(got, expected, tensor.dims[axis - 1], 2 * tolerance * largest);
  }
  return difference;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
