// CRC-32 as zlib and PNG compute it (reflected 0x04c11db7), over any number of pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenite {

// The checksum of the bytes under `previous` followed by `bytes`; a `previous` of 0 covers nothing.
uint32_t crc32(std::span<const std::byte> bytes, uint32_t previous = 0);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
