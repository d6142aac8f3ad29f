// Damages ONNX models, graph bytes and not weights, and imports them: each must give a graph or an
// error with a text.
#include "tests/fuzz/integer_digits.h"
#include "tests/fuzz/plan_campaign.h"
#include "tests/fuzz/wire_tree.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<Seed> load_models() {
  std::vector<Seed> models;
  const auto add = [&](const fs::path& path) {
    if (fs::is_regular_file(path)) models.push_back({path.parent_path().filename(), read(path)});
  };
  add(fs::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
  models.push_back({"integer digits", integer_digits(models[0].bytes)});
  const fs::path node = "/usr/include/onnx/backend/test/data/node";
  for (const char* name :
       {"test_basic_conv_with_padding", "test_averagepool_2d_ceil", "test_maxpool_2d_dilations",
        "test_gemm_all_attributes", "test_matmul_4d", "test_slice", "test_gather_2d_indices",
        "test_softmax_axis_1", "test_constant_pad", "test_reshape_negative_dim",
        "test_concat_3d_axis_1", "test_batchnorm_example", "test_transpose_all_permutations_3",
        "test_unsqueeze_two_axes", "test_if", "test_nonzero_example",
        "test_unique_sorted_with_axis_3d", "test_compress_1"}) {
    add(node / name / "model.onnx");
  }
  const fs::path shared = fs::path(ARENITE_SHARED_DIR) / "models";
  add(shared / "onnx_mnist8/model.onnx");
  add(shared / "onnx_light_squeezenet/model.onnx");
  add(shared / "onnx_qdq_block/model.onnx");
  return models;
}

void damage(Bytes& bytes, Random& random) {
  if (random.chance(3)) {
    for (uint64_t n = 1 + random.below(3); n > 0; --n) mutate_bytes(bytes, random);
  } else {
    std::vector<WireField> fields = *parse_wire(bytes);
    for (uint64_t n = 1 + random.below(2); n > 0; --n) mutate_wire(fields, random);
    bytes = serialize_wire(fields);
  }
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  using namespace arenite::fuzz;
  return run({.name = "onnx", .models = load_models(), .import = {}, .damage = damage},
             parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
