// A byte takes eight instructions of a Cortex-M4.
#include "portable_fallback/fast/integer_arg_scalar_kernel.h"

namespace arenite {

void find_best_scalar(const ByteOrder& order, Src<std::byte> x, ptrdiff_t step, uint32_t place,
                      uint32_t count, BestByte& best) {
  const uint32_t flip = order.flip;
  const int32_t more = order.last ? 1 : 0;  // an equal counts as better
  const uint32_t end = place + count;
  int32_t most = best.flipped;
  uint32_t found = best.place;
  const auto next = [&]() __attribute__((always_inline)) {
    const auto flipped = static_cast<int32_t>(static_cast<uint32_t>(std::byte{*x}) ^ flip);
    if (flipped + more > most) {
      most = flipped;
      found = place;
    }
    x += step;
    ++place;
  };
  while (end - place >= 4) {
    next();
    next();
    next();
    next();
  }
  while (place != end) next();
  best = {most, found};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
