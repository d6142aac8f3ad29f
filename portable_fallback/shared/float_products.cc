// Describes each step to its kernel as windows over rows and columns, and shares ranges of these
// among threads; what the kernel does not compute is done over each finished range.
#include "portable_fallback/shared/float_products.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kTilesOfItem = 16;     // whose sums stay in the L2 cache between chunks
constexpr uint32_t kColumnsOfItem = 256;  // whose weights of a chunk take half an L2 cache

// The kernels read and write plain floats.
const float* floats(const Tensor& tensor) {
  return static_cast<const float*>(static_cast<const void*>(tensor.data));
}
float* floats(const OutTensor& tensor) {
  return static_cast<float*>(static_cast<void*>(tensor.out));
}

// Parts (images and groups, or batches) of rows by columns, cut into ranges.
struct Work {
  Work(const FloatKernel& of, const FloatProducts& each, uint32_t rows_of, uint32_t parts_of,
       const Platform& platform);

  // Makes each range a line of places and all columns.
  void cut_into_lines();

  uint32_t items() const { return parts * row_ranges * column_ranges; }
  uint32_t part_of(uint32_t item) const { return item / (row_ranges * column_ranges); }
  // Ranges of rows fastest, so that a range of weights is used while it is near.
  FloatRange range_of(uint32_t item) const;

  const FloatKernel& kernel;
  const FloatProducts products;
  Activation activation = {};  // applied over a finished range
  uint32_t rows, parts;
  uint32_t rows_of_range, columns_of_range;
  uint32_t row_ranges, column_ranges;
};

constexpr uint32_t pieces(uint32_t count, uint32_t size) {
  return count / size + (count % size != 0);
}

Work::Work(const FloatKernel& of, const FloatProducts& each, uint32_t rows_of, uint32_t parts_of,
           const Platform& platform)
    : kernel(of), products(each), rows(rows_of), parts(parts_of) {
  // Smaller ranges where there would be too few for all threads: no bit of a result depends on it.
  const uint32_t threads = platform.parallel_for != nullptr ? platform.threads : 1;
  const uint32_t enough = threads > 1 ? 4 * threads : 1;
  uint32_t tiles = kTilesOfItem;
  columns_of_range = kColumnsOfItem;
  while (true) {
    rows_of_range = tiles * kernel.rows;
    row_ranges = pieces(rows, rows_of_range);
    column_ranges = pieces(products.columns, columns_of_range);
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

void Work::cut_into_lines() {
  rows_of_range = products.out_w;
  row_ranges = pieces(rows, rows_of_range);
  columns_of_range = products.columns;
  column_ranges = 1;
}

FloatRange Work::range_of(uint32_t item) const {
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

// Calls visit(y, row, column) for runs of `count` results in a line of y.
template <typename F>
void for_lines(const FloatProducts& p, const FloatRange& range, F visit) {
  for (uint32_t row = range.row; row < range.row_end; ++row) {
    float* line = p.y + row / p.out_w * p.y_h + row % p.out_w * p.y_w;
    if (p.y_c == 1) {
      visit(line + range.column, row, range.column, range.column_end - range.column);
    } else {
      for (uint32_t c = range.column; c < range.column_end; ++c) {
        visit(line + c * p.y_c, row, c, 1u);
      }
    }
  }
}

void activate_range(const Activation& activation, const FloatProducts& p, const FloatRange& range) {
  if (activation.kind == ActivationKind::kNone) return;
  for_lines(p, range, [&](float* y, uint32_t, uint32_t, uint32_t count) {
    const float* x = y;
    activate(activation, x, y, count);
  });
}

// Leaves to the kernel what it can apply; returns the rest.
Activation rest_of(const Activation& activation, FloatProducts& p) {
  if (activation.kind != ActivationKind::kClip) return activation;
  p.clamps = true;
  p.low = activation.a;
  p.high = activation.b;
  return {};
}

void set_weights(const Tensor& w, size_t w_n, size_t w_k, uint64_t depth, FloatProducts& p) {
  p.w = floats(w);
  p.padded = w.layout() == Layout::kPanel16;
  p.w_n = p.padded ? 1 : w_n;
  p.w_k = p.padded ? kPanelWidth : w_k;
  p.w_panel = p.padded ? static_cast<size_t>(depth) * kPanelWidth : w_n * kPanelWidth;
}

struct ConvWork : Work {
  using Work::Work;
  size_t x_n = 0, x_g = 0, w_g = 0, y_n = 0, y_g = 0;  // elements between images and groups
  uint32_t groups = 1;
  bool depthwise = false;  // all groups in a part
};

void conv_ranges(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const ConvWork*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products;
    const uint32_t part = work.part_of(item);
    const uint32_t n = part / work.groups;
    const uint32_t g = part % work.groups;
    p.x += n * work.x_n + g * work.x_g;
    p.w += g * work.w_g;
    p.y += n * work.y_n + g * work.y_g;
    if (p.bias != nullptr) p.bias += size_t{g} * p.columns;
    const FloatRange range = work.range_of(item);
    (work.depthwise ? work.kernel.add_depthwise : work.kernel.add)(p, range);
    activate_range(work.activation, p, range);
  }
}

// Whether the strides of w's inner dims are those of one dim.
bool has_even_taps(const Tensor& w) {
  return (w.dims[3] == 1 || w.strides[3] == w.dims[1] * w.strides[1]) &&
         (w.dims[2] == 1 || w.strides[2] == w.dims[3] * w.dims[1] * w.strides[1]);
}

// Each group has one channel and one column.
bool is_depthwise(const Tensor& w, uint32_t groups) {
  return w.dims[1] == 1 && w.dims[0] == groups && groups != 1;
}
// Elements between its taps.
size_t tap_stride(const Tensor& w) { return w.dims[3] == 1 ? w.strides[2] : w.strides[3]; }

struct MatMulWork : Work {
  MatMulWork(const FloatKernel& of, const FloatProducts& each, const MatMulGeometry& of_step,
             const MatMulAttributes& with, const Platform& platform, uint32_t rows_of,
             uint32_t parts_of)
      : Work(of, each, rows_of, parts_of, platform), geometry(of_step), attributes(with) {}

  const MatMulGeometry& geometry;
  MatMulAttributes attributes;
  uint32_t joined = 1;  // matrices whose rows are a part's
  Tensor c;             // added over a finished range; without data: nothing
  bool one_row_of_c = false;
  bool scales = false;  // by alpha, over a finished range
};

void add_c(const MatMulWork& work, const FloatProducts& p, const FloatRange& range, uint32_t part) {
  const float alpha = work.attributes.alpha;
  const float beta = work.attributes.beta;
  const Tensor& c = work.c;
  for_lines(p, range, [&](float* y, uint32_t row, uint32_t column, uint32_t count) {
    for (uint32_t j = 0; j < count; ++j) y[j] *= alpha;
    if (c.data == nullptr) return;
    MatMulItem at = {0, 0, column, count};
    if (!work.one_row_of_c) {
      at.batch = part;
      at.m = row;
    }
    const float* from = floats(c) + work.geometry.offset(c, at);
    const size_t c_n = c.strides[work.geometry.column()];
    for (uint32_t j = 0; j < count; ++j) y[j] += beta * from[j * c_n];
  });
}

void matmul_ranges(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const MatMulWork*>(argument);
  const MatMulGeometry& geometry = work.geometry;
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products;
    const uint32_t part = work.part_of(item);
    const MatMulItem at = {part * work.joined, 0, 0, 0};
    p.x += geometry.a_offset(at);
    p.w += geometry.b_offset(at);
    p.y += geometry.offset(geometry.y, at);
    const FloatRange range = work.range_of(item);
    work.kernel.add(p, range);
    if (work.scales || work.c.data != nullptr) add_c(work, p, range, part);
    activate_range(work.activation, p, range);
  }
}

// The rows of y, with those of leading dims that go on evenly in a and in y and take the same b.
struct Rows {
  uint32_t count;
  size_t a, y;            // elements between them
  uint32_t matrices = 1;  // joined
};

Rows join_rows(const MatMulGeometry& geometry, bool one_row_of_c) {
  const Tensor& a = geometry.a;
  const Tensor& b = geometry.b;
  const OutTensor& y = geometry.y;
  const uint32_t row = geometry.row();
  Rows rows = {y.dims[row], a.strides[row], y.strides[row]};
  for (uint32_t d = row; d-- > 0 && one_row_of_c;) {
    if (y.dims[d] == 1) continue;
    if (b.layout() != Layout::kPanel16 && b.strides[d] != 0) break;
    if (rows.count == 1) {
      rows.a = a.strides[d];
      rows.y = y.strides[d];
    } else if (a.strides[d] != rows.count * rows.a || y.strides[d] != rows.count * rows.y) {
      break;
    }
    rows.count *= y.dims[d];
    rows.matrices *= y.dims[d];
  }
  return rows;
}

}  // namespace

bool takes_float_conv(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  if (!reads_float32_weights(step) || is_empty(x) || is_empty(w)) return false;
  const uint32_t groups = step.attributes<ConvAttributes>().groups;
  if (is_depthwise(w, groups)) {
    const bool even = w.dims[2] == 1 || w.strides[2] == w.dims[3] * tap_stride(w);
    if (w.strides[0] != 1 || x.strides[1] != 1 || step.output(0).strides[1] != 1 || !even) {
      return false;
    }
  } else if (w.layout() == Layout::kPanel16 ? groups != 1 : !has_even_taps(w)) {
    return false;
  }
  return !step.has_input(2) || step.input(2).dims[0] == 1 || step.input(2).strides[0] == 1;
}

Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<ConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const Window height = conv_window(attributes, x, w, 0);
  const Window width = conv_window(attributes, x, w, 1);
  FloatProducts p = {};
  p.x = floats(x);
  p.x_c = x.strides[1];
  p.x_h = x.strides[2];
  p.x_w = x.strides[3];
  set_weights(w, w.strides[0], w.strides[1], uint64_t{w.dims[1]} * w.dims[2] * w.dims[3], p);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = floats(y);
  p.y_c = y.strides[1];
  p.y_h = y.strides[2];
  p.y_w = y.strides[3];
  p.in_h = height.input;
  p.in_w = width.input;
  p.out_w = y.dims[3];
  p.kernel_h = height.kernel;
  p.kernel_w = width.kernel;
  p.stride_h = height.stride;
  p.stride_w = width.stride;
  p.dilation_h = height.dilation;
  p.dilation_w = width.dilation;
  p.pad_h = height.pad_begin;
  p.pad_w = width.pad_begin;
  p.channels = w.dims[1];
  const bool depthwise = is_depthwise(w, attributes.groups);
  const uint32_t groups = depthwise ? 1 : attributes.groups;
  if (depthwise) p.w_k = tap_stride(w);
  p.columns = y.dims[1] / groups;
  const Activation rest = rest_of(attributes.activation, p);
  ConvWork work(kernel, p, y.dims[2] * y.dims[3], y.dims[0] * groups, platform);
  if (depthwise) work.cut_into_lines();
  work.depthwise = depthwise;
  work.activation = rest;
  work.groups = groups;
  work.x_n = x.strides[0];
  work.x_g = size_t{p.channels} * x.strides[1];
  work.w_g = size_t{p.columns} * w.strides[0];
  work.y_n = y.strides[0];
  work.y_g = size_t{p.columns} * y.strides[1];
  const uint64_t products = element_count(y) * w.dims[1] * w.dims[2] * w.dims[3];
  split(platform, work.items(), products, conv_ranges, &work);
  return ok_status();
}

bool takes_float_matmul(const Step& step) {
  return reads_float32_weights(step) && !is_empty(step.input(0)) && !is_empty(step.input(1));
}

Status run_float_matmul(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  if (is_empty(step.output(0))) return ok_status();
  const auto attributes = step.attributes<MatMulAttributes>();
  const MatMulGeometry geometry(step, false);
  const uint32_t row = geometry.row();
  const uint32_t column = geometry.column();
  Tensor c;
  if (step.has_input(2)) c = step.input(2);
  bool one_row_of_c = true;
  for (uint32_t d = 0; c.data != nullptr && d < column; ++d) {
    one_row_of_c = one_row_of_c && (geometry.y.dims[d] == 1 || c.strides[d] == 0);
  }
  const Rows rows = join_rows(geometry, one_row_of_c);
  const uint32_t matrices = geometry.items / (geometry.blocks * geometry.y.dims[row]);
  FloatProducts p = {};
  p.x = floats(geometry.a);
  p.x_c = geometry.a.strides[column];
  p.x_w = rows.a;
  set_weights(geometry.b, geometry.b_n, geometry.b_k, geometry.inner(), p);
  p.y = floats(geometry.y);
  p.y_w = rows.y;
  p.y_c = geometry.y.strides[column];
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = rows.count;
  p.channels = geometry.inner();
  p.columns = geometry.y.dims[column];
  const bool scales = attributes.alpha != 1;
  // Added first: sums may start at it.
  if (c.data != nullptr && one_row_of_c && !scales && attributes.beta == 1 &&
      (p.columns == 1 || c.strides[column] == 1)) {
    p.bias = floats(c);
    c = {};
  }
  const bool later = scales || c.data != nullptr;
  const Activation rest = later ? attributes.activation : rest_of(attributes.activation, p);
  MatMulWork work(kernel, p, geometry, attributes, platform, rows.count, matrices / rows.matrices);
  work.activation = rest;
  work.joined = rows.matrices;
  work.one_row_of_c = one_row_of_c;
  work.c = c;
  work.scales = scales;
  split(platform, work.items(), geometry.work(), matmul_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
