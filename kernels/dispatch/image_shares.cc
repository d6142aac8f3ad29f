// Counts blocks and chunks.
#include "kernels/dispatch/image_shares.h"

#include <algorithm>

namespace arenite {
namespace {

// Vectors that an invocation multiplies by gates: it loads them at once.
constexpr uint64_t kPlacesAtOnce = 4;

}  // namespace

GatedImage gated_image(const Operand& x, const Operand& w) {
  return {.images = x.dims[0],
          .places = uint64_t{x.dims[2]} * x.dims[3],
          .channels = x.dims[1],
          .rows = w.dims[1]};
}

ImageShare share_of(const GatedImage& image, uint32_t quads_log, uint64_t chunk) {
  const uint64_t quads = (uint64_t{image.channels} + 3) / 4;
  return {.quads_log = quads_log,
          .blocks = (quads + (uint64_t{1} << quads_log) - 1) >> quads_log,
          .chunks = (image.places + chunk - 1) / chunk,
          .chunk = chunk};
}

ImageShare excite_share(const GatedImage& image) {
  const uint32_t quads_log = image.channels <= 16 ? 2 : 3;
  const uint64_t blocks = share_of(image, quads_log, image.places).blocks;
  const uint64_t usual = (kWorkgroupSize >> quads_log) * kPlacesAtOnce;
  // Each group finds what the gates are made of anew: more groups than run at once are not worth
  // it.
  const uint64_t chunks_max = std::max<uint64_t>(kGroupsAtOnce / (blocks * image.images), 1);
  return share_of(image, quads_log, std::max(usual, (image.places + chunks_max - 1) / chunks_max));
}

shaders::ShareWords share_words(const GatedImage& image, const ImageShare& share, const Operand& x,
                                const Operand& y) {
  const bool flat = crosses_rows_in_one_stride(x) && crosses_rows_in_one_stride(y);
  return {.groups = static_cast<uint32_t>(image.images * share.parts()),
          .channels = image.channels,
          .rows = image.rows,
          .width = flat ? static_cast<uint32_t>(image.places) : x.dims[3],
          .places = static_cast<uint32_t>(image.places),
          .blocks = static_cast<uint32_t>(share.blocks),
          .quads_log = share.quads_log,
          .chunks = static_cast<uint32_t>(share.chunks),
          .chunk = static_cast<uint32_t>(share.chunk),
          .x_skip = x.skip,
          .y_skip = y.skip,
          .x_strides = shaders::first_of(x.strides),
          .y_strides = shaders::first_of(y.strides)};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
