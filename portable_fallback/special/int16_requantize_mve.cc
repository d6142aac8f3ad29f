// Requantization of 16-bit integers with Arm's MVE.
#include "portable_fallback/fast/int16_requantize_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/int16_pairs.h"
#include "portable_fallback/shared/map.h"

namespace arenite {
namespace {

void requantize_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  rescale_int16_mve(*static_cast<const Int16Factor*>(context), as<int16_t>(x), as<int16_t>(y),
                    count);
}

Status run_requantize(const Step& step, const Platform& platform) {
  const Int16Factor by = int16_requantize(step);
  return run_map(step, platform, {requantize_row, &by, 8});
}

}  // namespace

constexpr Form kRequantizeForm30 = make_form(Op::kRequantize, 30,
                                             {.parallel = true,
                                              .safe_distance = map_distance,
                                              .accepts = takes_int16_requantize,
                                              .run = run_requantize});
ARENITE_FORM_CODE(Requantize, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
