// One loop for each activation; NaN passes through all of them.
#include "portable_fallback/shared/activation.h"

#include "portable_fallback/shared/math.h"

namespace arenite {

void activate(const Activation& activation, const float* x, float* y, uint32_t count) {
  const float a = activation.a;
  const float b = activation.b;
  switch (activation.kind) {
    case ActivationKind::kNone:
      if (x != y) {
        for (uint32_t i = 0; i < count; ++i) y[i] = x[i];
      }
      break;
    case ActivationKind::kClip:
      for (uint32_t i = 0; i < count; ++i) {
        float v = x[i];
        v = v < a ? a : v;
        y[i] = v > b ? b : v;
      }
      break;
    case ActivationKind::kHardSigmoid:
    case ActivationKind::kHardSwish:
      for (uint32_t i = 0; i < count; ++i) {
        const float from = x[i];
        float v = a * from + b;
        v = v > 1.0f ? 1.0f : v;
        v = v < 0.0f ? 0.0f : v;
        y[i] = activation.kind == ActivationKind::kHardSwish ? from * v : v;
      }
      break;
    case ActivationKind::kSigmoid:
    case ActivationKind::kSwish:
      for (uint32_t i = 0; i < count; ++i) {
        const float from = x[i];
        const bool swish = activation.kind == ActivationKind::kSwish;
        y[i] = (swish ? from : 1.0f) / (1.0f + exp_f32(-(swish ? a * from : from)));
      }
      break;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
