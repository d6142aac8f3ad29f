// Neighboring integers of 8 bits to floats, where rows have one scale and one zero point, with
// vectors that every 64-bit x86 and Arm has.
#include <type_traits>

#include "portable_fallback/fast/integer_dequantize_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

bool takes_neighbors_of_one_scale(const Step& step) {
  if (element_bytes(step.dtype(0)) != 1) return false;
  const NestedLoop loop = elementwise_loop(step, kInputs);
  return loop.rank != 0 && loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1 &&
         loop.inner_stride(2) == 0 && loop.inner_stride(3) == 0;
}

// Scales and zero points are read where a row begins.
uint64_t dequantize_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const NestedLoop loop = elementwise_loop(step, kInputs);
  DistanceWalk walk;
  if (loop.rank != 0) {
    walk_loop(walk, loop, 1, {.y_bytes = sizeof(float), .x_bytes = 1}, kDequantizeAtOnce);
  }
  return walk.bytes();
}

#if defined(__SSE2__) || defined(__aarch64__)
template <typename T>
void dequantize_row(const void*, const ElementwiseRow& row) {
  const int32_t zero_point = row.inputs[2] == nullptr ? 0 : int32_t{*as<T>(row.inputs[2])};
  dequantize_row_base({row.inputs[0], row.y, row.steps[0], row.y_step, *as<float>(row.inputs[1]),
                       zero_point, row.count, std::is_unsigned_v<T>});
}

Status run_dequantize(const Step& step, const Platform& platform) {
  static_assert(kRowPiece % kDequantizeAtOnce == 0);
  const bool is_unsigned = step.dtype(0) == DType::kUint8;
  return run_elementwise(
      step, platform,
      {is_unsigned ? dequantize_row<uint8_t> : dequantize_row<int8_t>, nullptr, kInputs, 2});
}
#else
constexpr decltype(Form::run) run_dequantize = nullptr;
#endif

}  // namespace

constexpr Form kDequantizeForm40 = make_form(Op::kDequantize, 40,
                                             {.parallel = true,
                                              .safe_distance = dequantize_distance,
                                              .accepts = takes_neighbors_of_one_scale,
                                              .run = run_dequantize});
ARENITE_FORM_CODE(Dequantize, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
