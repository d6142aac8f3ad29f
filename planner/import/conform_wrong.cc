// Knows wrong test cases by the CRC-32 of their model, inputs and outputs.
#include "planner/import/conform_wrong.h"

#include <cstdint>

#include "core/crc32.h"
#include "support/file.h"

namespace arenite::planner {
namespace {

namespace fs = std::filesystem;

struct WrongCase {
  uint32_t digest;
  const char* why;
};

constexpr const char* kOtherShape = "an input has another shape than the model declares";

// Cases of onnx 1.12: test_cast_FLOAT_to_BFLOAT16, then test_castlike_BFLOAT16_to_FLOAT and
// test_castlike_FLOAT_to_BFLOAT16, each as it is and _expanded.
constexpr WrongCase kWrongCases[] = {
    {0xc64128b3, "the expected bits are cut off, where the standard rounds to nearest"},
    {0x566fa6cb, kOtherShape},
    {0x1f5b5e2d, kOtherShape},
    {0x9fd0ff74, kOtherShape},
    {0x9206b420, kOtherShape},
};

// model.onnx, then the first data set: input_0.pb, input_1.pb, ..., output_0.pb, ...
uint32_t digest_of(const fs::path& folder) {
  uint32_t digest = crc32(read_file(folder / "model.onnx"));
  for (const char* kind : {"input_", "output_"}) {
    for (size_t i = 0;; ++i) {
      const fs::path file = folder / "test_data_set_0" / (kind + std::to_string(i) + ".pb");
      if (!fs::exists(file)) break;
      digest = crc32(read_file(file), digest);
    }
  }
  return digest;
}

}  // namespace

std::string why_wrong(const fs::path& folder) {
  if (!fs::exists(folder / "model.onnx")) return {};
  const uint32_t digest = digest_of(folder);
  for (const WrongCase& wrong : kWrongCases) {
    if (wrong.digest == digest) return wrong.why;
  }
  return {};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
