// Casts to float32 with vectors of four floats, which every 64-bit x86 and Arm has: of images of
// bytes and of halves, as inputs of networks are.
#include "portable_fallback/fast/float_cast_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

// Their numbers become floats by one rounding at most.
constexpr TypeSet kFrom = type_set(DType::kBool, DType::kUint8, DType::kInt8, DType::kUint16,
                                   DType::kInt16, DType::kInt32, DType::kFloat16, DType::kBfloat16);

bool takes_cast(const Step& step) {
  if (step.output(0).dtype() != DType::kFloat32) return false;
  if (!has(kFrom, step.input(0).dtype())) return false;
  const NestedLoop loop = map_loop(step);
  return loop.rank != 0 && loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1;
}

uint64_t cast_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = map_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0 && input == 0) {
    walk_loop(walk, loop, 1,
              {.y_bytes = element_bytes(step.output(0).dtype()),
               .x_bytes = element_bytes(step.input(0).dtype())},
              kFloatCastPiece);
  }
  return walk.bytes();
}

#if defined(__SSE2__) || defined(__aarch64__)
void cast_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  float_cast_base({x, as<float>(y), count, *static_cast<const DType*>(context)});
}

Status run_cast(const Step& step, const Platform& platform) {
  const DType from = step.input(0).dtype();
  return run_map(step, platform, {cast_row, &from, 2});
}
#else
constexpr decltype(Form::run) run_cast = nullptr;
#endif

}  // namespace

constexpr Form kCastForm40 = make_form(
    Op::kCast, 40,
    {.parallel = true, .safe_distance = cast_distance, .accepts = takes_cast, .run = run_cast});
ARENITE_FORM_CODE(Cast, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
