// Aligns rows, and reads the geometry of products from their steps.
#include "portable_fallback/shared/integer_rows.h"

#include "core/platform.h"
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

// Beyond, scratch would not be a number of 32 bits.
constexpr uint64_t kDepthMax = 1 << 24;
constexpr uint32_t kWidthMax = 1 << 24;

// Whether each place reads the one pixel in its own place, and lines follow each other evenly: then
// all of them are one line.
bool is_one_line(const QuantizedConvAttributes& attributes, const Tensor& x, const Tensor& w,
                 const OutTensor& y) {
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const uint32_t d = 2 + axis;
    if (w.dims[d] != 1 || attributes.stride[axis] != 1 || attributes.pad_begin[axis] != 0 ||
        x.dims[d] != y.dims[d]) {
      return false;
    }
  }
  return x.strides[2] == x.dims[3] * x.strides[3] && y.strides[2] == y.dims[3] * y.strides[3];
}

}  // namespace

uint32_t* rows_of(const Step& step) {
  const auto address = reinterpret_cast<uintptr_t>(step.scratch().out);
  const uintptr_t aligned = (address + alignof(uint32_t) - 1) & ~uintptr_t{alignof(uint32_t) - 1};
  return reinterpret_cast<uint32_t*>(aligned);
}

void set_numbers(const Step& step, int32_t zero_point, int32_t outside, IntegerProducts& p) {
  const bool is_unsigned = step.input(0).dtype() == DType::kUint8;
  p.flip = is_unsigned ? 0x80808080 : 0;
  p.added = (is_unsigned ? 128 : 0) - zero_point;
  p.outside = outside - zero_point;
}

namespace {

[[gnu::always_inline]] inline IntegerProducts products_with(const Step& step, uint32_t* rows) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  IntegerProducts p = {};
  p.x = x.read<std::byte>();
  p.w = w.data;
  p.y = y.write<int8_t>();
  p.rows = rows;
  p.x_c = x.strides[1];
  p.x_h = x.strides[2];
  p.x_w = x.strides[3];
  p.y_c = y.strides[1];
  p.y_h = y.strides[2];
  p.y_w = y.strides[3];
  p.in_h = x.dims[2];
  p.in_w = x.dims[3];
  p.out_w = y.dims[3];
  p.kernel_h = w.dims[2];
  p.kernel_w = w.dims[3];
  p.stride_h = attributes.stride[0];
  p.stride_w = attributes.stride[1];
  p.dilation_h = attributes.dilation[0];
  p.dilation_w = attributes.dilation[1];
  p.pad_h = attributes.pad_begin[0];
  p.pad_w = attributes.pad_begin[1];
  p.channels = w.dims[1];
  p.columns = w.dims[0];
  p.joined = p.dilation_w == 1 && p.x_w == p.channels * p.x_c;
  p.w_zero_point = attributes.w_zero_point;
  set_numbers(step, attributes.x_zero_point, attributes.outside, p);
  return p;
}

}  // namespace

IntegerProducts conv_products(const Step& step) { return products_with(step, rows_of(step)); }

IntegerProducts conv_products_in_place(const Step& step) { return products_with(step, nullptr); }

uint32_t places_of_line(const Step& step) {
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const bool one = is_one_line(step.attributes(room), step.input(0), step.input(1), y);
  return one ? y.dims[2] * y.dims[3] : y.dims[3];
}

IntegerProducts line_products(const Step& step) {
  IntegerProducts p = conv_products(step);
  const uint32_t places = places_of_line(step);
  p.one_pixel = places != p.out_w;
  p.out_w = places;
  if (p.one_pixel) p.in_w = places;
  return p;
}

IntegerProducts matmul_products(const Step& step, const MatMulGeometry& geometry) {
  const Tensor& a = geometry.a;
  const OutTensor& y = geometry.y;
  const uint32_t m = geometry.row();
  IntegerProducts p = {};
  p.x = a.read<std::byte>();
  p.w = geometry.b.data;
  p.y = y.write<int8_t>();
  p.x_c = a.strides[m + 1];
  p.x_w = a.strides[m];
  p.y_c = y.strides[m + 1];
  p.y_w = y.strides[m];
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = y.dims[m];
  p.channels = geometry.inner();
  p.one_pixel = true;
  p.columns = y.dims[m + 1];
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  p.w_zero_point = attributes.b_zero_point;
  set_numbers(step, attributes.a_zero_point, 0, p);
  return p;
}

uint32_t places_of_piece(const IntegerProducts& p, uint32_t depth) {
  return places_of_work(p.columns * work_of_result(depth));
}

uint64_t depth_of(const Tensor& w) { return uint64_t{w.dims[1]} * w.dims[2] * w.dims[3]; }

uint32_t batch_dim(const OutTensor& y) {
  uint32_t d = 0;
  while (d + 2 < y.rank() && y.dims[d] == 1) ++d;
  return d;
}

uint32_t batches_of(const OutTensor& y) {
  const uint32_t d = batch_dim(y);
  return d + 2 < y.rank() ? y.dims[d] : 1;
}

bool are_rows(const Tensor& w) {
  return (w.dims[1] == 1 || w.strides[1] == 1) && (w.dims[3] == 1 || w.strides[3] == w.dims[1]) &&
         (w.dims[2] == 1 || w.strides[2] == uint64_t{w.dims[3]} * w.dims[1]) &&
         (w.dims[0] == 1 || w.strides[0] == depth_of(w));
}

bool are_rows(const MatMulGeometry& geometry) {
  const Tensor& b = geometry.b;
  for (uint32_t d = 0; d + 2 < b.rank(); ++d) {
    if (b.dims[d] != 1 && b.strides[d] != 0) return false;
  }
  return (geometry.inner() == 1 || geometry.b_k == 1) &&
         (geometry.y.dims[geometry.column()] == 1 || geometry.b_n == geometry.inner());
}

namespace {

bool takes_windows_of_all(const Step& step, const Blocks& blocks) {
  QuantizedConvAttributes room;
  const uint32_t* w = step.dims(1);
  if (step.attributes(room).groups != 1 || is_empty(step.dims(0)) || is_empty(w)) return false;
  return uint64_t{w[1]} * w[2] * w[3] < kDepthMax && takes_blocks(step, blocks);
}

}  // namespace

bool takes_conv_products(const Step& step, const Blocks& blocks) {
  return takes_windows_of_all(step, blocks) && takes_integer_results(step);
}

bool takes_conv_sums(const Step& step) {
  return takes_windows_of_all(step, {}) && takes_sums_of_products(step);
}

namespace {

bool takes_matrices(const Step& step, const Blocks& blocks) {
  // Batches follow each other evenly.
  const uint32_t rank = step.elements(step.input_count()).rank;
  const uint32_t* y = step.dims(step.input_count());
  uint32_t batches = 0;
  for (uint32_t d = 0; d + 2 < rank; ++d) batches += y[d] != 1;
  return batches <= 1 && !is_empty(step, 0) && !is_empty(step, 1) &&
         step.dims(0)[rank - 1] < kDepthMax && takes_blocks(step, blocks);
}

}  // namespace

bool takes_matmul_products(const Step& step, const Blocks& blocks) {
  return takes_matrices(step, blocks) && takes_integer_results(step);
}

bool takes_matmul_sums(const Step& step) {
  return takes_matrices(step, {}) && takes_sums_of_products(step);
}

namespace {

bool takes_windows(const Step& step, uint32_t lines_max, uint32_t taps_max,
                   ColumnsOfChannel columns = ColumnsOfChannel::kOne) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const uint32_t output = step.input_count();
  // Four dims, then strides.
  constexpr uint32_t kStrides = 4;
  const uint32_t* x = step.dims(0);
  const uint32_t* w = step.dims(1);
  const uint32_t* y = step.dims(output);
  if (is_empty(x) || is_empty(w) || is_empty(y)) return false;
  // All columns of one channel are a convolution without groups.
  const bool shares = w[0] != attributes.groups;
  if (w[1] != 1 || (shares && (columns == ColumnsOfChannel::kOne || attributes.groups == 1))) {
    return false;
  }
  const bool neighbors = x[kStrides + 1] == 1 && w[kStrides] == 1 && y[kStrides + 1] == 1;
  return neighbors && w[2] <= lines_max && w[3] <= taps_max && y[3] < kWidthMax &&
         takes_integer_results(step);
}

}  // namespace

bool takes_depthwise_products(const Step& step, uint32_t lines_max, uint32_t taps_max,
                              ColumnsOfChannel columns) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return takes_windows(step, lines_max, taps_max, columns) && attributes.stride[1] <= 2 &&
         !has_taps_apart(step);
}

bool takes_depthwise_phases(const Step& step, uint32_t lines_max, uint32_t taps_max,
                            ColumnsOfChannel columns) {
  QuantizedConvAttributes room;
  return takes_windows(step, lines_max, taps_max, columns) &&
         step.attributes(room).stride[1] == 1 && has_taps_apart(step);
}

bool takes_depthwise_place(const Step& step) {
  constexpr uint32_t kSideMax = 1024;  // so that products can be counted
  return step.dims(step.input_count())[3] == 1 && takes_windows(step, kSideMax, kSideMax);
}

bool has_taps_apart(const Step& step) {
  QuantizedConvAttributes room;
  return step.dims(1)[3] != 1 && step.attributes(room).dilation[1] != 1;
}

uint32_t phases_of_line(const Step& step) {
  QuantizedConvAttributes room;
  const uint32_t dilation = step.attributes(room).dilation[1];
  const uint32_t places = step.dims(step.input_count())[3];
  return dilation < places ? dilation : places;
}

uint32_t places_of_phase(const Step& step) {
  return blocks_over(step.dims(step.input_count())[3], phases_of_line(step));
}

uint64_t distance_of_lines(const QuantizedConvAttributes& attributes, const Tensor& x,
                           const Tensor& w, const OutTensor& y, DistanceNest& nest, bool one_line) {
  if (!one_line) {
    nest.add(DistanceLoop::window(conv_window(attributes, x, w, 0), y.dims[2], y.strides[2],
                                  x.strides[2]));
  }
  nest.add(DistanceLoop::even(y.dims[0], y.strides[0], x.strides[0]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

uint64_t depthwise_distance(const Step& step, uint32_t input, uint32_t columns) {
  if (input != 0) return kNoOverlap;
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const uint32_t places = y.dims[3];
  if (attributes.pad_begin[1] >= attributes.stride[1] * (places - 1) + w.dims[3]) {
    return 0;  // reads nothing
  }
  DistanceNest nest((places - 1) * y.strides[3] + 1);
  nest.add(DistanceLoop::shared_blocks(y.dims[1], columns, y.dims[1] / attributes.groups));
  return distance_of_lines(attributes, step.input(0), w, y, nest);
}

uint64_t depthwise_phases_distance(const Step& step, uint32_t input, uint32_t columns) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  DistanceNest nest(1);
  nest.add(DistanceLoop::shared_blocks(y.dims[1], columns, y.dims[1] / attributes.groups));
  nest.add(DistanceLoop::window_phases(conv_window(attributes, x, w, 1), y.dims[3], y.strides[3],
                                       x.strides[3]));
  return distance_of_lines(attributes, x, w, y, nest);
}

uint64_t depthwise_place_distance(const Step& step, uint32_t input, uint32_t channels) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  DistanceNest nest(1);
  nest.add(DistanceLoop::blocks(y.dims[1], channels, 1, 1));
  nest.add(DistanceLoop::window(conv_window(attributes, x, w, 1), y.dims[3], y.strides[3],
                                x.strides[3]));
  return distance_of_lines(attributes, x, w, y, nest);
}

void take_phase(uint32_t phase, IntegerProducts& p) {
  const Window whole = {p.in_w, p.kernel_w, 1, p.dilation_w, p.pad_w};
  const WindowPhase of = window_phase(whole, phase);
  if (of.window.input != 0) p.x += of.first * p.x_w;
  p.y += phase * p.y_w;
  p.x_w *= p.dilation_w;
  p.y_w *= p.dilation_w;
  p.in_w = of.window.input;
  p.pad_w = of.window.pad_begin;
  p.out_w = (p.out_w - phase - 1) / p.dilation_w + 1;
  p.dilation_w = 1;
}

uint64_t conv_products_distance(const Step& step, uint32_t input,
                                uint32_t (*at_once)(uint32_t left)) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return 0;
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  DistanceNest nest((y.dims[1] - 1) * y.strides[1] + 1);
  Window width = conv_window(attributes, x, w, 1);
  const bool one_line = is_one_line(attributes, x, w, y);
  const uint32_t places = one_line ? y.dims[2] * y.dims[3] : y.dims[3];
  if (one_line) width.input = places;
  nest.add(DistanceLoop::window_pieces(width, places, y.strides[3], x.strides[3], at_once));
  return distance_of_lines(attributes, x, w, y, nest, one_line);
}

uint64_t matmul_products_distance(const Step& step, uint32_t input,
                                  uint32_t (*at_once)(uint32_t left)) {
  if (input != 0) return kNoOverlap;
  const OutTensor out = step.output(0);
  const uint32_t rows_of_out = out.dims[out.rank() - 2];
  // All is read before anything is written.
  if (batches_of(out) == 1 && at_once(rows_of_out) == rows_of_out) return 0;
  const MatMulGeometry geometry(step, true);
  const Tensor& a = geometry.a;
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return 0;
  const uint32_t m = geometry.row();
  const Window rows = {.input = y.dims[m], .kernel = 1, .stride = 1, .dilation = 1, .pad_begin = 0};
  DistanceNest nest((y.dims[m + 1] - 1) * y.strides[m + 1] + 1);
  nest.add(DistanceLoop::window_pieces(rows, y.dims[m], y.strides[m], a.strides[m], at_once));
  const uint32_t d = batch_dim(y);
  if (d < m) nest.add(DistanceLoop::even(y.dims[d], y.strides[d], a.strides[d]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
