// Requantization of 8 bits with Arm's DSP extension.
#include "portable_fallback/fast/integer_requantize_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_requantize.h"
#include "portable_fallback/shared/map.h"

namespace arenite {
namespace {

void requantize_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  requantize_bytes_dsp(*static_cast<const IntegerRequantize*>(context), x, y, count);
}

Status run_requantize(const Step& step, const Platform& platform) {
  const IntegerRequantize by = integer_requantize(step);
  return run_map(step, platform, {requantize_row, &by, 8});
}

}  // namespace

constexpr Form kRequantizeForm8 = make_form(Op::kRequantize, 8,
                                            {.parallel = true,
                                             .safe_distance = map_distance,
                                             .accepts = takes_integer_requantize,
                                             .run = run_requantize});
ARENITE_FORM_CODE(Requantize, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
