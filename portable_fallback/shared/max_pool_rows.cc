// Counts the rows of a max pool, and finds the outputs whose windows lie inside x.
#include "portable_fallback/shared/max_pool_rows.h"

namespace arenite {

MaxPoolRows::MaxPoolRows(const Step& step) : Pool(step, step.serial()) {
  rows = items == 0 ? 0 : y.dims[0] * y.dims[2] * y.dims[3];
  const Window& window = windows[2];
  const uint32_t last_tap = (window.kernel - 1) * window.dilation;
  const uint32_t reach = window.input + window.pad_begin;
  whole_begin = (window.pad_begin + window.stride - 1) / window.stride;
  whole_end = reach > last_tap ? (reach - last_tap - 1) / window.stride + 1 : 0;
  whole_end = whole_end < y.dims[4] ? whole_end : y.dims[4];
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
