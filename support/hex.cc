// Writes one digit for each 4 bits, highest first.
#include "support/hex.h"

namespace arenite {

std::string hex_digits(uint64_t number, uint32_t digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint32_t left = digits; left-- > 0;) text += kDigits[number >> 4 * left & 15u];
  return text;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
