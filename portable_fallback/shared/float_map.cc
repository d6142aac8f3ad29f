// Hands rows of neighboring floats to a kernel.
#include "portable_fallback/shared/float_map.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/trigonometry.h"

namespace arenite {
namespace {

struct Context {
  FloatMapKernel kernel;
  FloatMap map;
  float alpha, beta;
  float (*beyond)(float) = nullptr;
};

void map_row(const void* argument, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  const auto& context = *static_cast<const Context*>(argument);
  context.kernel(context.map,
                 {as<float>(x), as<float>(y), count, context.alpha, context.beta, context.beyond});
}

}  // namespace

bool takes_float_map(const Step& step) { return map_loop(step).rank != 0; }

// Rows of neighbors in pieces, and others in as large ones (kMapTogether).
uint64_t float_map_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = map_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0 && input == 0) walk_loop(walk, loop, 1, {}, kFloatMapPiece);
  return walk.bytes();
}

Status run_float_map(const Step& step, const Platform& platform, FloatMapKernel kernel,
                     FloatMap map) {
  static_assert(kRowPiece % kFloatMapPiece == 0 && kMapTogether == kFloatMapPiece * sizeof(float));
  const auto attributes = step.attributes<UnaryAttributes>();
  Context context = {kernel, map, attributes.alpha, attributes.beta};
  if (map == FloatMap::kHardSwish) {
    context.alpha = 1.0f / 6.0f;
    context.beta = 0.5f;
  }
  if (map == FloatMap::kGelu && attributes.alpha != 0.0f) context.map = FloatMap::kGeluByTanh;
  if (map == FloatMap::kSin) context.beyond = sin_f32;
  if (map == FloatMap::kCos) context.beyond = cos_f32;
  return run_map(step, platform, {map_row, &context});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
