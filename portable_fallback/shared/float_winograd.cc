// Cuts Winograd convolutions into blocks of tiles. Of a block all inputs are transformed, then each
// strip of columns transforms its weights, a few channels at a time, adds their 36 matrix products
// and transforms the sums. Tiles that follow with the same strip take its weights as they are,
// where those of all channels stay near. Weights are transformed in every run: stored so they would
// be four times as large, and take longer to read than to compute.
#include "portable_fallback/shared/float_winograd.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/float_conv.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kOut = kWinogradOutputs;
constexpr size_t kBlockFloats = 1 << 18;  // of a block's inputs, about: an L2 cache
// At most, whose weights of a strip tiles share: half of such a cache.
constexpr uint32_t kSharedChannels = 128;
constexpr uint32_t kNoColumn = UINT32_MAX;

uint32_t tiles_h(const FloatWinograd& conv) { return blocks_over(conv.out_h, kOut); }
uint32_t tiles_of(const FloatWinograd& conv) { return tiles_h(conv) * conv.tiles_w; }

size_t input_row(const FloatProducts& p) {
  return size_t{blocks_over(p.channels, kProductColumns)} * kProductColumns;
}

// Tiles whose inputs are transformed at once.
uint32_t tiles_of_block(const FloatWinograd& conv) {
  const size_t some = kBlockFloats / (kWinogradProducts * input_row(conv.p)) / kWinogradTiles;
  const size_t block = (some > 0 ? some : 1) * kWinogradTiles;
  const uint32_t all = tiles_of(conv);
  return all < block ? all : static_cast<uint32_t>(block);
}

WinogradMatrices input_matrices(const FloatWinograd& conv) {
  const size_t row = input_row(conv.p);
  return {nullptr, row, winograd_matrix_floats(tiles_of_block(conv), row)};
}

// Channels whose weights are transformed at once.
uint32_t channels_at_once(const FloatWinograd& conv) {
  const bool shares = tiles_of_block(conv) > kWinogradTiles && conv.p.channels <= kSharedChannels;
  return shares || conv.p.channels < kWinogradChannels ? conv.p.channels : kWinogradChannels;
}

// The weights and the sums of a thread.
WinogradMatrices weight_matrices(const FloatWinograd& conv) {
  return {nullptr, kProductColumns,
          winograd_matrix_floats(channels_at_once(conv), kWinogradColumns)};
}
WinogradMatrices sum_matrices(const FloatWinograd& conv) {
  const uint32_t tiles = tiles_of_block(conv);
  return {
      nullptr, kWinogradColumns,
      winograd_matrix_floats(tiles < kWinogradTiles ? tiles : kWinogradTiles, kWinogradColumns)};
}
size_t bytes_of(const WinogradMatrices& matrices) {
  return kWinogradProducts * matrices.between * sizeof(float);
}

struct WinogradWork {
  const WinogradKernel& kernel;
  FloatWinograd conv;
  WinogradMatrices inputs, weights, sums;
  uint32_t channels;                                            // whose weights are there at once
  std::byte* memory;                                            // of all threads
  uint32_t block, block_end;                                    // tiles
  uint32_t tiles = kWinogradTiles, columns = kWinogradColumns;  // of an item

  uint32_t tile_items() const { return blocks_over(block_end - block, tiles); }
  uint32_t items() const { return tile_items() * blocks_over(conv.p.columns, columns); }
  // Smaller items where there would be too few for all threads: no bit of a result depends on it.
  void cut_for(uint32_t threads) {
    while (threads > 1 && items() < 4 * threads) {
      if (columns > kProductColumns) {
        columns /= 2;
      } else if (tiles > 7) {
        tiles /= 2;
      } else {
        return;
      }
    }
  }
};

void input_tiles(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const WinogradWork*>(argument);
  WinogradMatrices v = work.inputs;
  v.data += first * v.row;
  work.kernel.transform_inputs(work.conv, work.block + first, work.block + last, v);
}

// Computes a tile's results by the plain sums.
void add_plain_tile(const WinogradWork& work, uint32_t tile, uint32_t column, uint32_t columns) {
  FloatProducts p = work.conv.p;
  p.w_copy = work.weights.data;
  const uint32_t h = tile / work.conv.tiles_w * kOut;
  const uint32_t w = tile % work.conv.tiles_w * kOut;
  const uint32_t count = p.out_w - w < kOut ? p.out_w - w : kOut;
  for (uint32_t i = h; i < h + kOut && i < work.conv.out_h; ++i) {
    const uint32_t row = i * p.out_w + w;
    work.kernel.add(p, {row, row + count, column, column + columns});
  }
}

// Stores the results of some tiles. Numbers that are not finite, or whose sums are not, spread by
// the transforms to results that do without them: such tiles are computed by the plain sums, which
// may copy weights over the transformed ones. Returns whether there were some.
bool store_tiles(const WinogradWork& work, uint32_t first, uint32_t end,
                 const WinogradStrip& strip) {
  WinogradMatrices sums = work.sums;
  bool has_plain = false;
  for (uint32_t done = 0; done < strip.columns; done += kProductColumns) {
    const uint32_t left = strip.columns - done;
    const WinogradStrip panel = {strip.column + done,
                                 left < kProductColumns ? left : kProductColumns, 0, 0};
    const uint32_t plain = work.kernel.transform_sums(work.conv, first, end, panel, sums);
    has_plain = has_plain || plain != 0;
    for (uint32_t tile = first; plain >> (tile - first) != 0; ++tile) {
      if ((plain >> (tile - first) & 1u) == 0) continue;
      add_plain_tile(work, tile, panel.column, panel.columns);
    }
    sums.data += kProductColumns;
  }
  return has_plain;
}
static_assert(kWinogradTiles <= 31);

// The products of the transformed inputs and weights of a strip: rows are tiles.
FloatMatrices matrices_of(const WinogradWork& work, uint32_t tile, uint32_t tiles,
                          const WinogradStrip& strip) {
  FloatMatrices m = {};
  m.x = work.inputs.data + (tile - work.block) * work.inputs.row + strip.channel;
  m.w = work.weights.data;
  m.y = work.sums.data;
  m.x_between = work.inputs.between;
  m.w_between = work.weights.between;
  m.y_between = work.sums.between;
  m.x_row = work.inputs.row;
  m.y_row = work.sums.row;
  m.count = kWinogradProducts;
  m.rows = tiles;
  m.columns = blocks_over(strip.columns, kProductColumns) * kProductColumns;
  m.depth = strip.channels;
  m.adds = strip.channel != 0;
  return m;
}

void product_strips(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  WinogradWork work = *static_cast<const WinogradWork*>(argument);
  std::byte* own = work.memory + thread * (bytes_of(work.weights) + bytes_of(work.sums));
  work.weights.data = static_cast<float*>(static_cast<void*>(own));
  work.sums.data = work.weights.data + kWinogradProducts * work.weights.between;
  uint32_t transformed = kNoColumn;  // of the strip whose weights of all channels are there
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t tile = work.block + item % work.tile_items() * work.tiles;
    const uint32_t column = item / work.tile_items() * work.columns;
    const uint32_t tiles_left = work.block_end - tile;
    const uint32_t tiles = tiles_left < work.tiles ? tiles_left : work.tiles;
    const uint32_t columns_left = work.conv.p.columns - column;
    WinogradStrip strip = {column, columns_left < work.columns ? columns_left : work.columns, 0, 0};
    for (; strip.channel < work.conv.p.channels; strip.channel += strip.channels) {
      const uint32_t left = work.conv.p.channels - strip.channel;
      strip.channels = left < work.channels ? left : work.channels;
      if (column != transformed) work.kernel.transform_weights(work.conv, strip, work.weights);
      work.kernel.add_matrices(matrices_of(work, tile, tiles, strip));
    }
    const bool has_plain = store_tiles(work, tile, tile + tiles, strip);
    const bool has_all = work.channels == work.conv.p.channels;
    transformed = has_all && !has_plain ? column : kNoColumn;
  }
}

// The multiplications of vectors for each vector of weights, by the transforms and without them.
struct Effort {
  uint64_t winograd, plain;
};
Effort effort_of(const Tensor& w, const OutTensor& y) {
  // These count the transforms and their stores. kWeights fits at 100 on an EPYC and at 330 on a
  // Xeon, which takes 1.92 ms for 512 to 512 channels at 7 x 7 places with transforms, 1.36
  // without.
  constexpr uint32_t kWeights = 200, kInput = 150, kSum = 140;
  const uint64_t places = uint64_t{y.dims[2]} * y.dims[3];
  const uint64_t tiles = uint64_t{blocks_over(y.dims[2], kOut)} * blocks_over(y.dims[3], kOut);
  return {tiles * (kWinogradProducts + kInput / w.dims[0] + kSum / w.dims[1]) + kWeights,
          places * 9};
}

}  // namespace

bool takes_float_winograd(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (!takes_float_conv(step) || is_empty(y)) return false;
  const auto attributes = step.attributes<ConvAttributes>();
  if (attributes.groups != 1 || w.dims[2] != 3 || w.dims[3] != 3) return false;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (attributes.stride[axis] != 1 || attributes.dilation[axis] != 1) return false;
  }
  // Fewer would not fill a panel.
  if (w.dims[0] < kProductColumns || w.dims[1] < kProductColumns) return false;
  if (x.strides[1] != 1 || y.strides[1] != 1) return false;
  const Effort effort = effort_of(w, y);
  return effort.plain * 3 > effort.winograd * 4;
}

ScratchNeed float_winograd_scratch(const Step& step) {
  const FloatProducts p = float_conv_products(step);
  const OutTensor y = step.output(0);
  const FloatWinograd conv = {p, y.dims[2], blocks_over(y.dims[3], kOut)};
  return {.bytes = static_cast<uint32_t>(bytes_of(input_matrices(conv))),
          .thread_bytes = static_cast<uint32_t>(bytes_of(weight_matrices(conv)) +
                                                bytes_of(sum_matrices(conv)))};
}

Status run_float_winograd(const Step& step, const Platform& platform,
                          const WinogradKernel& kernel) {
  const OutTensor y = step.output(0);
  const Tensor x = step.input(0);
  FloatProducts p = float_conv_products(step);
  p.residual = residual_of(step, platform);
  set_end(step.attributes<ConvAttributes>().activation, p);
  const FloatWinograd conv = {p, y.dims[2], blocks_over(y.dims[3], kOut)};
  WinogradWork work = {kernel,
                       conv,
                       input_matrices(conv),
                       weight_matrices(conv),
                       sum_matrices(conv),
                       channels_at_once(conv),
                       nullptr,
                       0,
                       0};
  std::byte* scratch = step.scratch().out;
  work.inputs.data = static_cast<float*>(static_cast<void*>(scratch));
  work.memory = scratch + bytes_of(work.inputs);
  const uint32_t tiles = tiles_of(conv);
  const uint32_t block = tiles_of_block(conv);
  for (uint32_t n = 0; n < y.dims[0]; ++n) {
    for (work.block = 0; work.block < tiles; work.block = work.block_end) {
      work.block_end = tiles - work.block < block ? tiles : work.block + block;
      const uint32_t count = work.block_end - work.block;
      const uint64_t products = uint64_t{count} * kWinogradProducts * p.channels;
      split(platform, count, products * 4, input_tiles, &work);
      work.tiles = kWinogradTiles;
      work.columns = kWinogradColumns;
      work.cut_for(platform.parallel_for != nullptr ? platform.threads : 1);
      split(platform, work.items(), products * p.columns, product_strips, &work);
    }
    p.x += x.strides[0];
    p.y += y.strides[0];
    if (p.residual != nullptr) p.residual += y.strides[0];
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
