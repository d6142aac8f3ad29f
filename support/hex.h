// Numbers in hexadecimal.
#pragma once

#include <cstdint>
#include <string>

namespace arenite {

// The lowest `digits` hexadecimal digits of a number: "0009".
std::string hex_digits(uint64_t number, uint32_t digits);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
