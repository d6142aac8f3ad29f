// The weights of the output are widened once; four places at a time meet them as rows.
#include "portable_fallback/fast/integer_column_dsp_kernel.h"

#include "portable_fallback/fast/integer_dot_dsp.h"
#include "portable_fallback/fast/integer_finish_once_dsp.h"

namespace arenite {
namespace {

template <bool kOnce>
inline void compute(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  const uint32_t bias = p.rows[0];
  while (place < end) {
    const uint32_t places = column_dsp_places_at_once(end - place);
    const Src<int8_t> x = as<int8_t>(p.x) + (line * p.x_h + place * p.x_w);
    int32_t sums[column_dsp_places_at_once(UINT32_MAX)];
    DspDot::add_rows(p.rows + 1, x, p.x_w, p.channels, places, sums);
    for (uint32_t i = 0; i < places; ++i) {
      sums[i] = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + bias);
    }
    finish_results<kOnce>(p.results, 0, 1, sums, places, p.y + (line * p.y_h + place * p.y_w), 0,
                          p.y_w);
    place += places;
  }
}

}  // namespace

void widen_column_dsp(const IntegerProducts& p) {
  const Src<int8_t> w = as<int8_t>(p.w);
  DspDot::widen(p.rows + 1, w, 1, p.channels, -p.w_zero_point);
  uint32_t sum = 0;
  for (uint32_t c = 0; c < p.channels; ++c) sum += static_cast<uint32_t>(w[c] - p.w_zero_point);
  p.rows[0] = static_cast<uint32_t>(*p.results.bias) + static_cast<uint32_t>(p.added) * sum;
}

void add_column_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  compute<false>(p, line, place, end);
}
void add_column_once_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  compute<true>(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
