// Groups of invocations share out images: each has a block of channels and a chunk of places.
#pragma once

#include <cstdint>

#include "kernels/dispatch/builder.h"
#include "kernels/shaders/shared/image_share.h"

namespace arenite {

// An image of which two products of `rows` rows make gates.
struct GatedImage {
  uint64_t images, places;
  uint32_t channels, rows;

  bool has_elements() const { return images != 0 && places != 0 && channels != 0 && rows != 0; }
};
// x [N, C, H, W] and weights [2, R, C].
GatedImage gated_image(const Operand& x, const Operand& w);

struct ImageShare {
  uint32_t quads_log;  // of a block, of four channels each
  uint64_t blocks, chunks, chunk;

  uint64_t parts() const { return blocks * chunks; }
};

// Groups that run at once on a large GPU.
inline constexpr uint64_t kGroupsAtOnce = 1024;

ImageShare share_of(const GatedImage& image, uint32_t quads_log, uint64_t chunk);
// That of the pass that multiplies by the gates.
ImageShare excite_share(const GatedImage& image);

shaders::ShareWords share_words(const GatedImage& image, const ImageShare& share, const Operand& x,
                                const Operand& y);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
