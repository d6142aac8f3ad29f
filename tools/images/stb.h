// Sean Barrett's image reader, resizer and writer (package libstb-dev) as we use them: PNG and JPEG
// are read, within limits, and PNG is written.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace arenite::tools {

// Limit of one allocation of this thread's decoder, by the size of its image: a deflate bomb ends
// here.
inline thread_local std::size_t decoder_bytes_max = 0;

// The limit for an image of that size: tables, the parts of JPEG's blocks beyond the edges, and
// twice 8 bytes a pixel (16 bits, four channels). It is twice because a buffer for data that does
// not shrink is doubled until it holds them.
inline std::size_t decoder_bytes_for(std::size_t width, std::size_t height) {
  constexpr std::size_t kTables = std::size_t{1} << 20, kEdge = 64, kPixelBytes = 18;
  return kTables + (width + kEdge) * (height + kEdge) * kPixelBytes;
}

// Zeroed: the decoder reads tables that a file says it has and doesn't.
inline void* decoder_malloc(std::size_t bytes) {
  return bytes <= decoder_bytes_max ? std::calloc(bytes, 1) : nullptr;
}
inline void* decoder_realloc(void* memory, std::size_t bytes) {
  return bytes <= decoder_bytes_max ? std::realloc(memory, bytes) : nullptr;
}

}  // namespace arenite::tools

#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_FAILURE_USERMSG
#define STBI_MAX_DIMENSIONS 65535
#define STBI_MALLOC(bytes) arenite::tools::decoder_malloc(bytes)
#define STBI_REALLOC(memory, bytes) arenite::tools::decoder_realloc(memory, bytes)
#define STBI_FREE(memory) std::free(memory)
#include <stb/stb_image.h>

// stb's assertions refuse a weight rounded to 0 too, which harms nothing; we bound sizes ourselves.
#define STBIR_ASSERT(condition) static_cast<void>(0)
#include <stb/stb_image_resize.h>

#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
// SPDX-License-Identifier: Apache-2.0
