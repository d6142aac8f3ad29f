// Damages ONNX models, graph bytes and not weights, and imports them: each must give a graph or an
// error with a text.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "planner/import.h"
#include "planner/plan.h"
#include "tests/fuzz/campaign.h"
#include "tests/fuzz/wire_tree.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

struct Model {
  std::string name;
  Bytes bytes;
};

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::vector<Model> load_models() {
  std::vector<Model> models;
  const auto add = [&](const fs::path& path) {
    if (fs::is_regular_file(path)) models.push_back({path.parent_path().filename(), read(path)});
  };
  add(fs::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
  const fs::path node = "/usr/include/onnx/backend/test/data/node";
  for (const char* name :
       {"test_basic_conv_with_padding", "test_averagepool_2d_ceil", "test_maxpool_2d_dilations",
        "test_gemm_all_attributes", "test_matmul_4d", "test_slice", "test_gather_2d_indices",
        "test_softmax_axis_1", "test_constant_pad", "test_reshape_negative_dim",
        "test_concat_3d_axis_1", "test_batchnorm_example", "test_transpose_all_permutations_3",
        "test_unsqueeze_two_axes"}) {
    add(node / name / "model.onnx");
  }
  const fs::path shared = fs::path(ARENITE_SHARED_DIR) / "models";
  add(shared / "onnx_mnist8/model.onnx");
  add(shared / "onnx_light_squeezenet/model.onnx");
  return models;
}

int run(const Options& options) {
  const std::vector<Model> models = load_models();
  if (models.empty()) {
    std::fprintf(stderr, "fuzz: no models found\n");
    return 1;
  }
  planner::PlanOptions plan;
  plan.boards = {planner::find_board("host")};
  uint64_t planned = 0, refused = 0;
  Stopwatch stopwatch(2);
  for (uint64_t i = 0; i < options.count; ++i) {
    Random random(options.seed * 1000003 + i);
    const Model& model = models[random.below(models.size())];
    planner::ModelFile file;
    file.method = "main";
    file.bytes = model.bytes;
    if (random.chance(3)) {
      for (uint64_t n = 1 + random.below(3); n > 0; --n) mutate_bytes(file.bytes, random);
    } else {
      std::vector<WireField> fields = *parse_wire(model.bytes);
      for (uint64_t n = 1 + random.below(2); n > 0; --n) mutate_wire(fields, random);
      file.bytes = serialize_wire(fields);
    }
    stopwatch.start(model.name + " #" + std::to_string(i));
    try {
      (void)planner::plan_models({file}, plan);
      ++planned;
    } catch (const std::logic_error& error) {
      std::fprintf(stderr, "fuzz: %s #%llu: a mistake of ours: %s\n", model.name.c_str(),
                   static_cast<unsigned long long>(i), error.what());
      return 1;
    } catch (const std::runtime_error& error) {
      if (std::strlen(error.what()) == 0) return 1;
      ++refused;
    }
    stopwatch.stop();
  }
  std::printf(
      "onnx campaign: %llu files, seed %llu, %llu planned, %llu refused with a message; %s\n",
      static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(options.seed),
      static_cast<unsigned long long>(planned), static_cast<unsigned long long>(refused),
      stopwatch.slowest().c_str());
  return 0;
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  return arenite::fuzz::run(arenite::fuzz::parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
