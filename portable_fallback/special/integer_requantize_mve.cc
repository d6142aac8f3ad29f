// Requantization of 8 bits with Arm's MVE.
#include "portable_fallback/fast/integer_requantize_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_requantize.h"
#include "portable_fallback/shared/map.h"

namespace arenite {
namespace {

void requantize_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  requantize_bytes_mve(*static_cast<const IntegerRequantize*>(context), x, y, count);
}

Status run_requantize(const Step& step, const Platform& platform) {
  const IntegerRequantize by = integer_requantize(step);
  return run_map(step, platform, {requantize_row, &by, 8});
}

}  // namespace

constexpr Form kRequantizeForm9 = make_form(Op::kRequantize, 9,
                                            {.parallel = true,
                                             .safe_distance = map_distance,
                                             .accepts = takes_integer_requantize,
                                             .run = run_requantize});
ARENITE_FORM_CODE(Requantize, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
