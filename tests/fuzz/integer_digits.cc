// Quantizes the digits of the demo.
#include "tests/fuzz/integer_digits.h"

#include <cstring>

#include "planner/quantizer/quantizer.h"

namespace arenite::fuzz {

Bytes integer_digits(const Bytes& model) {
  Random random(1);
  std::vector<planner::Sample> samples;
  for (int i = 0; i < 4; ++i) {
    Bytes pixels(size_t{64} * sizeof(float));
    for (size_t at = 0; at < pixels.size(); at += sizeof(float)) {
      const float pixel = static_cast<float>(random.below(17)) / 16.0f;
      std::memcpy(pixels.data() + at, &pixel, sizeof pixel);
    }
    samples.push_back({pixels});
  }
  return planner::quantize_onnx(model, {}, samples, {}, {}).file;
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
