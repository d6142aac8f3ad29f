// Weighs channels one by one.
#include "portable_fallback/fast/int16_resize_scalar_kernel.h"

namespace arenite {

void resize_int16_line_scalar(const ResizeLine& line) {
  resize_places<uint16_t>(line, weigh<int16_t>, move_each<uint16_t>);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
