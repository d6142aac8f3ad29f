// Softmax of so many 8-bit integers that most exponentials are made more than once: each thread
// remembers them. Images whose steps are smaller do not link it.
#include "portable_fallback/fast/integer_softmax_remembered_kernel.h"

#include "ops/check.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/integer_softmax.h"
#include "portable_fallback/shared/softmax_blocks.h"

namespace arenite {
namespace {

using Blocks = SoftmaxBlocks<RememberedSoftmax>;

bool takes_softmax(const Step& step) {
  return takes_integer_softmax(step) && element_count(step.output(0)) >= kSoftmaxDifferences;
}

ScratchNeed softmax_scratch(const Step&) { return rows_scratch(kSoftmaxDifferences); }

void softmax_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  Blocks blocks = *static_cast<const Blocks*>(argument);
  blocks.numbers.exponentials += size_t{thread} * kSoftmaxDifferences;
  forget_exponentials(blocks.numbers);
  block_items<RememberedSoftmax>(&blocks, first, last, thread);
}

Status run_softmax(const Step& step, const Platform& platform) {
  Blocks blocks(step);
  if (blocks.is_empty()) return ok_status();
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  const uint32_t rows = softmax_rows_at_once(blocks.rows.axes.inner_dim());
  blocks.at_once = rows != 0 ? rows : 1;
  blocks.numbers = {{{by.multiplier, by.shift},
                     by.diff_min,
                     step.dtype(0) == DType::kInt8 ? 0x80 : 0,
                     by.output.zero_point,
                     by.output.low,
                     by.output.high},
                    static_cast<int32_t*>(static_cast<void*>(rows_of(step)))};
  blocks.compute = softmax_rows_remembered;
  split(platform, RowCursor::rows(blocks.rows.kept, blocks.at_once),
        element_count(step.output(0)) * 64, softmax_items, &blocks);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm21 = make_form(Op::kQuantizedSoftmax, 21,
                                                   {.parallel = true,
                                                    .in_place = kAnyPlace,
                                                    .scratch = softmax_scratch,
                                                    .safe_distance = integer_softmax_distance,
                                                    .accepts = takes_softmax,
                                                    .run = run_softmax});
ARENITE_FORM_CODE(QuantizedSoftmax, 21)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
