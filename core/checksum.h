// The checksum of program files: finds accidents at about one instruction a byte.
//
// Each word goes through h = (h ^ word) * prime; h ^= h >> 15. Either half is one-to-one in h, so
// damage within a word is always found, and any other but for about one case in 2^32
// (docs/decisions/0009-checksum.md). It is no signature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenite {

inline constexpr uint32_t kChecksumStart = 0x9e3779b9u;

// The checksum of the bytes, read as little-endian words; the last word is filled up with zeros.
// For data in pieces, `previous` is the checksum of the pieces before, whose sizes are multiples of
// 4.
uint32_t checksum(std::span<const std::byte> bytes, uint32_t previous = kChecksumStart);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
