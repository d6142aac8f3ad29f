// Integers of 8 bits to floats, where rows have one scale and one zero point.
#include <type_traits>

#include "portable_fallback/fast/integer_dequantize_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

template <typename T>
void dequantize_row(const void*, const ElementwiseRow& row) {
  const int32_t zero_point = row.inputs[2] == nullptr ? 0 : int32_t{*as<T>(row.inputs[2])};
  dequantize_row_scalar({row.inputs[0], row.y, row.steps[0], row.y_step, *as<float>(row.inputs[1]),
                         zero_point, row.count, std::is_unsigned_v<T>});
}

bool takes_rows_of_one_scale(const Step& step) {
  if (element_bytes(step.dtype(0)) != 1) return false;
  const NestedLoop loop = elementwise_loop(step, kInputs);
  return loop.rank != 0 && loop.inner_stride(2) == 0 && loop.inner_stride(3) == 0;
}

// Scales and zero points are read where a row begins, elements as the reference reads them.
uint64_t dequantize_distance(const Step& step, uint32_t input) {
  return input == 0 ? elementwise_distance(step, 0, kInputs) : kNoOverlap;
}

Status run_dequantize(const Step& step, const Platform& platform) {
  const bool is_unsigned = step.dtype(0) == DType::kUint8;
  return run_elementwise(
      step, platform,
      {is_unsigned ? dequantize_row<uint8_t> : dequantize_row<int8_t>, nullptr, kInputs, 2});
}

}  // namespace

constexpr Form kDequantizeForm20 = make_form(Op::kDequantize, 20,
                                             {.parallel = true,
                                              .safe_distance = dequantize_distance,
                                              .accepts = takes_rows_of_one_scale,
                                              .run = run_dequantize});
ARENITE_FORM_CODE(Dequantize, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
