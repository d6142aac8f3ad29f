// Cuts float products into ranges that suit the caches, or all threads.
#include "portable_fallback/shared/float_work.h"

#include "portable_fallback/shared/move_elements.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kTilesOfItem = 16;     // whose sums stay in the L2 cache between chunks
constexpr uint32_t kColumnsOfItem = 256;  // whose weights of a chunk take half an L2 cache
constexpr uint32_t kFewChannels = 16;     // of a tap: a table finds those of several taps

uint32_t depth_of(const FloatProducts& p) {
  const uint64_t depth = uint64_t{p.kernel_h} * p.kernel_w * p.channels;
  return depth < kProductDepth ? static_cast<uint32_t>(depth) : kProductDepth;
}

bool copies_x(const FloatProducts& p) {
  const bool one_tap = p.kernel_h == 1 && p.kernel_w == 1;
  return !p.by_table && (p.x_c != 1 || (p.channels < kFewChannels && !one_tap));
}

bool copies_w(const FloatProducts& p) {
  const bool panels = p.padded || (p.w_n == 1 && p.columns % kProductColumns == 0);
  return p.w_type != WeightType::kFloat32 || !panels;
}

uint32_t floats_of_x(const FloatProducts& p, uint32_t rows) {
  if (!copies_x(p)) return 0;
  return (rows < kCopiedRows ? rows : kCopiedRows) * depth_of(p);
}

uint32_t floats_of_w(const FloatProducts& p) {
  if (!copies_w(p)) return 0;
  const uint32_t most =
      p.w_type == WeightType::kFloat32 ? kCopiedColumns * depth_of(p) : kCopiedWeights;
  const uint64_t all =
      uint64_t{blocks_over(p.columns, kProductColumns)} * kProductColumns * depth_of(p);
  return all < most ? static_cast<uint32_t>(all) : most;
}

FloatEnd end_of(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::kNone:
      break;
    case ActivationKind::kClip:
      return FloatEnd::kClip;
    case ActivationKind::kHardSigmoid:
      return FloatEnd::kHardSigmoid;
    case ActivationKind::kSigmoid:
      return FloatEnd::kSigmoid;
    case ActivationKind::kHardSwish:
      return FloatEnd::kHardSwish;
    case ActivationKind::kSwish:
      return FloatEnd::kSwish;
  }
  return FloatEnd::kSum;
}

}  // namespace

FloatProducts matrix_products(uint32_t rows, uint32_t depth, uint32_t columns) {
  FloatProducts p = {};
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = rows;
  p.channels = depth;
  p.columns = columns;
  return p;
}

void set_weights(const Tensor& w, size_t w_n, size_t w_k, uint64_t depth, FloatProducts& p) {
  p.w = w.data;
  if (w.dtype() == DType::kFloat16) p.w_type = WeightType::kFloat16;
  if (w.dtype() == DType::kBfloat16) p.w_type = WeightType::kBfloat16;
  p.padded = w.layout() == Layout::kPanel16;
  p.w_n = p.padded ? 1 : w_n;
  p.w_k = p.padded ? kPanelWidth : w_k;
  p.w_panel = p.padded ? static_cast<size_t>(depth) * kPanelWidth : w_n * kPanelWidth;
}

void find_by_table(FloatProducts& p) {
  const uint64_t taps = uint64_t{p.kernel_h} * p.kernel_w;
  const bool few = p.channels < kFewChannels && taps <= kTableTaps;
  p.by_table = few && taps * p.channels <= kProductDepth && copies_x(p);
}

void move_weights(FloatProducts& p, size_t elements) { p.w = weights_at(p.w, p.w_type, elements); }

uint32_t copied_bytes(const FloatProducts& p, uint32_t rows) {
  return (floats_of_x(p, rows) + floats_of_w(p)) * static_cast<uint32_t>(sizeof(float));
}

ScratchNeed scratch_of(const FloatProducts& p, uint32_t rows, uint64_t work) {
  const uint32_t bytes = copied_bytes(p, rows);
  // Little work is not split (portable_fallback/shared/split.h): one thread copies.
  return work < kWorthSplitting ? ScratchNeed{.bytes = bytes} : ScratchNeed{.thread_bytes = bytes};
}

FloatProducts with_copies(const FloatProducts& p, uint32_t rows, std::byte* memory) {
  FloatProducts copied = p;
  auto* floats = static_cast<float*>(static_cast<void*>(memory));
  if (copies_x(p)) copied.x_copy = floats;
  if (copies_w(p)) copied.w_copy = floats + floats_of_x(p, rows);
  return copied;
}

FloatWork::FloatWork(const Step& step, const FloatKernel& of, const FloatProducts& each,
                     uint32_t rows_of, uint32_t parts_of, const Platform& platform)
    : kernel(of), products(each), rows(rows_of), parts(parts_of) {
  if (step.has_scratch()) scratch = step.scratch().out;
  // Smaller ranges where there would be too few for all threads: no bit of a result depends on it.
  const uint32_t threads = platform.parallel_for != nullptr ? platform.threads : 1;
  const uint32_t enough = threads > 1 ? 4 * threads : 1;
  uint32_t tiles = kTilesOfItem;
  columns_of_range = kColumnsOfItem;
  while (true) {
    rows_of_range = tiles * kernel.rows;
    row_ranges = blocks_over(rows, rows_of_range);
    column_ranges = blocks_over(products.columns, columns_of_range);
    if (uint64_t{parts} * row_ranges * column_ranges >= enough) return;
    if (tiles > 2) {
      tiles /= 2;
    } else if (columns_of_range > 2 * kProductColumns) {
      columns_of_range /= 2;
    } else {
      return;
    }
  }
}

void FloatWork::cut_into_lines() {
  scratch = nullptr;  // lines are not copied
  rows_of_range = products.out_w;
  row_ranges = blocks_over(rows, rows_of_range);
  columns_of_range = products.columns;
  column_ranges = 1;
}

FloatRange FloatWork::range_of(uint32_t item) const {
  const uint32_t in_part = item % (row_ranges * column_ranges);
  FloatRange range;
  range.row = in_part % row_ranges * rows_of_range;
  range.column = in_part / row_ranges * columns_of_range;
  range.row_end = rows - range.row < rows_of_range ? rows : range.row + rows_of_range;
  range.column_end = products.columns - range.column < columns_of_range
                         ? products.columns
                         : range.column + columns_of_range;
  return range;
}

FloatProducts FloatWork::products_of(uint32_t thread) const {
  if (scratch == nullptr) return products;
  return with_copies(products, rows, scratch + size_t{thread} * copied_bytes(products, rows));
}

const float* residual_of(const Step& step, const Platform& platform) {
  if (!step.has_input(kResidualInput)) return nullptr;
  const Tensor r = step.input(kResidualInput);
  const OutTensor y = step.output(0);
  Move move = {y.write<std::byte>(), r.read<std::byte>(), sizeof(float), {}};
  bool same = true;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    same = same && (y.dims[d] == 1 || r.strides[d] == y.strides[d]);
    move.loop.add(y.dims[d], static_cast<ptrdiff_t>(y.strides[d]),
                  static_cast<ptrdiff_t>(r.strides[d]));
  }
  if (same) return floats(r);
  move_elements(platform, move);
  return floats(y);
}

void set_end(const Activation& activation, FloatProducts& p) {
  p.end = end_of(activation.kind);
  p.a = activation.a;
  p.b = activation.b;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
