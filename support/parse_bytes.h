// Reads a number of bytes as people write it: 65536, 0x10000, 64K, 2M, 1G.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arenite {

struct ParsedBytes {
  uint64_t bytes = 0;
  std::string problem;  // what is wrong with the text, to stand behind it; empty: nothing
};

// A whole number in decimal, or in hexadecimal after 0x, and perhaps a unit: K (1,024 bytes), M
// (1,024 K) or G (1,024 M), in either case; Ki, Mi, Gi, KiB, MiB and GiB mean the same. A fraction,
// a sign, a blank, any other unit and what passes 2^64 - 1 are problems.
ParsedBytes parse_bytes(std::string_view text);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
