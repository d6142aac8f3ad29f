// Hands rows of one scale to a kernel.
#include "portable_fallback/shared/neighbor_quantize.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

struct Context {
  QuantizeKernel kernel;
  bool half_even, is_unsigned;
};

void quantize_row(const void* argument, const ElementwiseRow& row) {
  const auto& context = *static_cast<const Context*>(argument);
  int32_t zero_point = 0;
  if (row.inputs[2] != nullptr) {
    zero_point = context.is_unsigned ? int32_t{*as<uint8_t>(row.inputs[2])}
                                     : int32_t{*as<int8_t>(row.inputs[2])};
  }
  constexpr ptrdiff_t kFloat = sizeof(float);
  context.kernel({as<float>(row.inputs[0]), as<uint8_t>(row.y), row.steps[0] / kFloat, row.y_step,
                  *as<float>(row.inputs[1]), zero_point, row.count, context.half_even,
                  context.is_unsigned});
}

}  // namespace

bool takes_neighbor_quantize(const Step& step) {
  if (element_bytes(step.dtype(step.input_count())) != 1) return false;
  const NestedLoop loop = elementwise_loop(step, kInputs);
  return loop.rank != 0 && loop.inner_stride(2) == 0 && loop.inner_stride(3) == 0;
}

// A row's scale and zero point are read once.
uint64_t neighbor_quantize_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const NestedLoop loop = elementwise_loop(step, kInputs);
  DistanceWalk walk;
  if (loop.rank != 0) {
    walk_loop(walk, loop, 1, {.y_bytes = 1, .x_bytes = sizeof(float)}, kQuantizeAtOnce);
  }
  return walk.bytes();
}

Status run_neighbor_quantize(const Step& step, const Platform& platform, QuantizeKernel kernel) {
  const Context context = {kernel,
                           step.attributes<QuantizeAttributes>().rounding == Rounding::kHalfEven,
                           step.dtype(step.input_count()) == DType::kUint8};
  return run_elementwise(step, platform, {quantize_row, &context, kInputs, 8});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
