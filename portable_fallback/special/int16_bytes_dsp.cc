// Requantization of 16-bit integers to 8 bits and back with Arm's DSP extension.
#include "portable_fallback/fast/int16_bytes_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_requantize.h"
#include "portable_fallback/shared/map.h"

namespace arenite {
namespace {

void narrow_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  narrow_int16_dsp(*static_cast<const IntegerRequantize*>(context), as<int16_t>(x), y, count);
}

void widen_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  widen_bytes_dsp(*static_cast<const IntegerRequantize*>(context), x, as<int16_t>(y), count);
}

template <MapRow kRow>
Status run_requantize(const Step& step, const Platform& platform) {
  const IntegerRequantize by = integer_requantize(step);
  return run_map(step, platform, {kRow, &by, 8});
}

}  // namespace

constexpr Form kRequantizeForm33 = make_form(Op::kRequantize, 33,
                                             {.parallel = true,
                                              .safe_distance = map_distance,
                                              .accepts = narrows_int16,
                                              .run = run_requantize<narrow_row>});
ARENITE_FORM_CODE(Requantize, 33)

constexpr Form kRequantizeForm35 = make_form(Op::kRequantize, 35,
                                             {.parallel = true,
                                              .safe_distance = map_distance,
                                              .accepts = widens_bytes,
                                              .run = run_requantize<widen_row>});
ARENITE_FORM_CODE(Requantize, 35)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
