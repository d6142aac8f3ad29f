// Weighs channels one by one.
#include "portable_fallback/fast/integer_resize_scalar_kernel.h"

namespace arenite {

void resize_line_scalar(const ResizeLine& line) {
  resize_places<uint8_t>(line, weigh_each, move_each<uint8_t>);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
