// One loop for each function of recurrent cells.
#include "portable_fallback/shared/cell_function.h"

#include "portable_fallback/shared/math.h"

namespace arenite {
namespace {

template <typename F>
void each(float* v, uint32_t count, F function) {
  for (uint32_t i = 0; i < count; ++i) v[i] = function(v[i]);
}

}  // namespace

void apply_cell_function(const CellFunction& function, float* v, uint32_t count) {
  const float a = function.a;
  const float b = function.b;
  switch (function.kind) {
    case CellFunctionKind::kSigmoid:
      return each(v, count, [](float x) { return 1.0f / (1.0f + exp_f32(-x)); });
    case CellFunctionKind::kTanh:
      return each(v, count, [](float x) { return tanh_f32(x); });
    case CellFunctionKind::kRelu:
      return each(v, count, [](float x) { return x < 0.0f ? 0.0f : x; });
    case CellFunctionKind::kAffine:
      return each(v, count, [a, b](float x) { return a * x + b; });
    case CellFunctionKind::kLeakyRelu:
      return each(v, count, [a](float x) { return x < 0.0f ? a * x : x; });
    case CellFunctionKind::kThresholdedRelu:
      return each(v, count, [a](float x) { return x <= a ? 0.0f : x; });
    case CellFunctionKind::kScaledTanh:
      return each(v, count, [a, b](float x) { return a * tanh_f32(b * x); });
    case CellFunctionKind::kHardSigmoid:
      return each(v, count, [a, b](float x) {
        const float y = a * x + b;
        const float limited = y > 1.0f ? 1.0f : y;
        return limited < 0.0f ? 0.0f : limited;
      });
    case CellFunctionKind::kElu:
      return each(v, count, [a](float x) { return x < 0.0f ? a * expm1_f32(x) : x; });
    case CellFunctionKind::kSoftsign:
      return each(v, count, [](float x) {
        const float magnitude = abs_f32(x);
        return magnitude == kInfinity ? kNan : x / (1.0f + magnitude);
      });
    case CellFunctionKind::kSoftplus:
      return each(v, count,
                  [](float x) { return (x > 0.0f ? x : 0.0f) + log1p_f32(exp_f32(-abs_f32(x))); });
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
