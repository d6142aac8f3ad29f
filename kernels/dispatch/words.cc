// Copies the numbers that are there; once for all fields of all shaders.
#include "kernels/dispatch/words.h"

namespace arenite::shaders {

void Numbers::write(uint32_t* to, uint32_t count) const {
  for (uint32_t i = 0; i < count; ++i) to[i] = i < there ? from[i] : otherwise;
}

}  // namespace arenite::shaders
// SPDX-License-Identifier: Apache-2.0
