// Softmax of 8-bit integers by tables, along one axis.
#include "portable_fallback/fast/integer_softmax_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/softmax_blocks.h"

namespace arenite {
namespace {

// Rows that a kernel takes at once.
constexpr uint32_t kRowsAtOnce = 16;

// Tables have two rows of 256.
bool takes_tabled_softmax(const Step& step) {
  return takes_softmax_rows(step, Rounding::kHalfEven) && step.input(1).strides[1] == 1;
}

// Tables are read to the end.
uint64_t tabled_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  return axis_rows_distance(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
}

Status run_tabled_softmax(const Step& step, const Platform& platform) {
  SoftmaxBlocks<TabledSoftmax> blocks(step);
  if (blocks.is_empty()) return ok_status();
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  const Tensor tables = step.input(1);
  const auto numerators = tables.read<uint32_t>();
  blocks.at_once = kRowsAtOnce;
  blocks.numbers = {numerators + static_cast<ptrdiff_t>(tables.strides[0]),
                    numerators,
                    step.dtype(0) == DType::kInt8 ? 0x80 : 0,
                    by.output.zero_point,
                    by.output.low,
                    by.output.high};
  blocks.compute = softmax_rows_scalar;
  return run_softmax_blocks(step, platform, blocks);
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm20 = make_form(Op::kQuantizedSoftmax, 20,
                                                   {.parallel = true,
                                                    .in_place = kAnyPlace,
                                                    .safe_distance = tabled_softmax_distance,
                                                    .accepts = takes_tabled_softmax,
                                                    .run = run_tabled_softmax});
ARENITE_FORM_CODE(QuantizedSoftmax, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
