// The rotation that makes an image stand upright, as cameras note it in EXIF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenite::tools {

// EXIF's orientation, 1 to 8, from a block in TIFF's form (what follows "Exif\0\0" in a JPEG, or
// the chunk eXIf of a PNG). 1, upright, where it says none or makes no sense.
uint32_t exif_orientation(std::span<const std::byte> tiff);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
