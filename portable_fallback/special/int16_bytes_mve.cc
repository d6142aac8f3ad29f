// Requantization of 16-bit integers to 8 bits and back with Arm's MVE.
#include "portable_fallback/fast/int16_bytes_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_requantize.h"
#include "portable_fallback/shared/map.h"

namespace arenite {
namespace {

void narrow_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  narrow_int16_mve(*static_cast<const IntegerRequantize*>(context), as<int16_t>(x), y, count);
}

void widen_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  widen_bytes_mve(*static_cast<const IntegerRequantize*>(context), x, as<int16_t>(y), count);
}

template <MapRow kRow>
Status run_requantize(const Step& step, const Platform& platform) {
  const IntegerRequantize by = integer_requantize(step);
  return run_map(step, platform, {kRow, &by, 8});
}

}  // namespace

constexpr Form kRequantizeForm32 = make_form(Op::kRequantize, 32,
                                             {.parallel = true,
                                              .safe_distance = map_distance,
                                              .accepts = narrows_int16,
                                              .run = run_requantize<narrow_row>});
ARENITE_FORM_CODE(Requantize, 32)

constexpr Form kRequantizeForm34 = make_form(Op::kRequantize, 34,
                                             {.parallel = true,
                                              .safe_distance = map_distance,
                                              .accepts = widens_bytes,
                                              .run = run_requantize<widen_row>});
ARENITE_FORM_CODE(Requantize, 34)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
