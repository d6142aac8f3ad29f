// Describes convolutions and matrix products to kernels of float rows, in pieces of lines, and says
// how far their outputs may overlap x.
#include "portable_fallback/shared/float_rows.h"

#include "core/platform.h"
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/packings.h"
#include "ops/window.h"
#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/join_lines.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr int64_t kFloat = sizeof(float);
// Beyond, scratch would not be a number of 32 bits.
constexpr uint64_t kDepthMax = 1 << 24;

const float* floats(const Tensor& tensor) {
  return static_cast<const float*>(static_cast<const void*>(tensor.data));
}

bool is_float32(const Step& step, uint32_t input) { return step.dtype(input) == DType::kFloat32; }

void activate_sums(const void* activation, float* sums, uint32_t count) {
  const float* from = sums;
  activate(*static_cast<const Activation*>(activation), from, sums, count);
}

Status run_work(const Platform& platform, const Activation& activation, uint32_t parts,
                uint64_t depth, PieceFunction items, FloatRowsWork& work) {
  FloatRows& p = work.products;
  if (activation.kind == ActivationKind::kClip) {
    p.clamps = true;
    p.low = activation.a;
    p.high = activation.b;
  } else if (activation.kind != ActivationKind::kNone) {
    p.activate = activate_sums;
    p.activation = &activation;
  }
  // Of little work so many places that it is worth a thread.
  const uint64_t of_place = p.columns * (depth + 16);
  constexpr auto kEnough = static_cast<uint32_t>(2 * kWorthSplitting);
  if (of_place <= kEnough / 8) work.piece = kEnough / static_cast<uint32_t>(of_place) / 4 * 4;
  split(platform, parts * work.lines * work.pieces(),
        parts * uint64_t{work.lines} * p.out_w * of_place, items, &work);
  return ok_status();
}

// The sizes and places of a convolution's x and y, without its weights and memory.
FloatRows windows_of(const Step& step, const ConvAttributes& attributes) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  FloatRows p = {};
  p.x = x.read<float>();
  p.w = floats(w);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = y.write<float>();
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
  return p;
}

FloatRows conv_rows(const Step& step, uint32_t& lines) {
  ConvAttributes room;
  FloatRows p = windows_of(step, step.attributes(room));
  lines = step.output(0).dims[2];
  if (join_lines(lines, p)) lines = 1;
  return p;
}

// Whether the only place of the only line is neighboring floats of x.
bool reads_in_place(const FloatRows& p, uint32_t lines) {
  return lines == 1 && p.out_w == 1 && p.in_w == 1 && p.in_h == 1 && p.kernel_h == 1 &&
         p.kernel_w == 1 && p.pad_h == 0 && p.pad_w == 0 && (p.x_c == 1 || p.channels == 1);
}

uint32_t row_floats(const FloatRows& p, uint32_t lines) {
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  return reads_in_place(p, lines) ? 0 : float_places_at_once(p.out_w) * depth;
}

ScratchNeed rows_need(const FloatRows& p, uint32_t lines) {
  const uint32_t words = row_floats(p, lines);
  return words == 0 ? ScratchNeed{} : rows_scratch(words);
}

void set_rows(const Step& step, uint32_t lines, FloatRows& p) {
  if (!reads_in_place(p, lines)) {
    p.rows = static_cast<float*>(static_cast<void*>(rows_of(step)));
  }
}

bool takes_operands(const Step& step) {
  // Plans for microcontrollers add residuals apart (planner/passes/integers/without_residuals.h).
  if (step.has_input(kResidualInput)) return false;
  if (is_empty(step.input(0)) || is_empty(step.input(1)) || is_empty(step.output(0)) ||
      !is_float32(step, 1)) {
    return false;
  }
  return !step.has_input(2) || is_float32(step, 2);
}

bool has_even_bias(const Step& step) {
  if (!step.has_input(2)) return true;
  const Tensor bias = step.input(2);
  return bias.dims[0] == 1 || bias.strides[0] == 1;
}

// What the columns of a place read and write.
DistanceNest place_nest(const FloatRows& p, uint32_t lines) {
  const int64_t y_c = static_cast<int64_t>(p.y_c) * kFloat;
  if (!reads_in_place(p, lines)) {
    return DistanceNest(static_cast<uint32_t>((p.columns - 1) * y_c + kFloat));
  }
  // Four columns read x, then write.
  DistanceNest nest(kFloat);
  nest.add(DistanceLoop::blocks(p.columns, 4, y_c, 0));
  return nest;
}

// The rows of the first batch of a matrix product.
FloatRows matmul_rows(const MatMulGeometry& geometry) {
  const Tensor& a = geometry.a;
  const OutTensor& y = geometry.y;
  const uint32_t m = geometry.row();
  FloatRows p = {};
  p.x = a.read<float>();
  p.w = floats(geometry.b);
  p.y = y.write<float>();
  p.x_c = a.strides[m + 1];
  p.x_w = a.strides[m];
  p.y_c = y.strides[m + 1];
  p.y_w = y.strides[m];
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = y.dims[m];
  p.channels = geometry.inner();
  p.columns = y.dims[m + 1];
  return p;
}

}  // namespace

bool takes_float_rows_conv(const Step& step) {
  if (!takes_operands(step) || !has_even_bias(step)) return false;
  ConvAttributes room;
  const Tensor w = step.input(1);
  return step.attributes(room).groups == 1 && depth_of(w) < kDepthMax && are_rows(w);
}

ScratchNeed float_rows_conv_scratch(const Step& step) {
  uint32_t lines = 0;
  const FloatRows p = conv_rows(step, lines);
  return rows_need(p, lines);
}

uint64_t float_rows_conv_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  uint32_t lines = 0;
  const FloatRows p = conv_rows(step, lines);
  const Window width = {p.in_w, p.kernel_w, p.stride_w, p.dilation_w, p.pad_w};
  const Window height = {p.in_h, p.kernel_h, p.stride_h, p.dilation_h, p.pad_h};
  DistanceNest nest = place_nest(p, lines);
  nest.add(DistanceLoop::window_pieces(width, p.out_w, static_cast<int64_t>(p.y_w) * kFloat,
                                       static_cast<int64_t>(p.x_w) * kFloat, float_places_at_once));
  nest.add(DistanceLoop::window(height, lines, static_cast<int64_t>(p.y_h) * kFloat,
                                static_cast<int64_t>(p.x_h) * kFloat));
  nest.add(DistanceLoop::even(y.dims[0], int64_t{y.strides[0]} * kFloat,
                              int64_t{x.strides[0]} * kFloat));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

// Looks at dims and strides alone: loading a program asks these.
bool takes_float_rows_matmul(const Step& step) {
  if (!takes_operands(step)) return false;
  MatMulAttributes room;
  const MatMulAttributes& attributes = step.attributes(room);
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  const uint32_t m = y.rank() - 2;
  const uint32_t columns = y.dims[m + 1];
  const uint32_t depth = a.dims[m + 1];
  if (attributes.alpha != 1 || depth >= kDepthMax) return false;
  // Batches follow each other evenly, and have the same right side.
  uint32_t batches = 0;
  for (uint32_t d = 0; d < m; ++d) {
    batches += y.dims[d] != 1;
    if (b.dims[d] != 1 && (b.strides[d] != 0 || b.layout() == Layout::kBlocked)) return false;
  }
  if (batches > 1) return false;
  if (b.layout() == Layout::kBlocked) {
    if (!takes_blocks(step, kFloatRowBlocks)) return false;
  } else if ((depth != 1 && b.strides[m] != 1) || (columns != 1 && b.strides[m + 1] != depth)) {
    return false;
  }
  if (!step.has_input(2)) return true;
  const Tensor c = step.input(2);
  for (uint32_t d = 0; d <= m; ++d) {
    if (y.dims[d] != 1 && c.strides[d] != 0) return false;
  }
  return attributes.beta == 1 && (columns == 1 || c.strides[m + 1] == 1);
}

ScratchNeed float_rows_matmul_scratch(const Step& step) {
  const Tensor a = step.input(0);
  const uint32_t column = a.rank() - 1;
  const uint32_t depth = a.dims[column];
  const uint32_t rows = step.output(0).dims[column - 1];
  if (rows == 1 && (depth == 1 || a.strides[column] == 1)) return {};
  return rows_scratch(float_places_at_once(rows) * depth);
}

uint64_t float_rows_matmul_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const MatMulGeometry geometry(step, true);
  const FloatRows p = matmul_rows(geometry);
  const Window rows = {.input = p.out_w, .kernel = 1, .stride = 1, .dilation = 1, .pad_begin = 0};
  DistanceNest nest = place_nest(p, 1);
  nest.add(DistanceLoop::window_pieces(rows, p.out_w, static_cast<int64_t>(p.y_w) * kFloat,
                                       static_cast<int64_t>(p.x_w) * kFloat, float_places_at_once));
  const uint32_t d = batch_dim(geometry.y);
  if (d < geometry.row()) {
    nest.add(DistanceLoop::even(geometry.y.dims[d], int64_t{geometry.y.strides[d]} * kFloat,
                                int64_t{geometry.a.strides[d]} * kFloat));
  }
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

bool takes_float_windows_conv(const Step& step) {
  if (!takes_operands(step) || !has_even_bias(step)) return false;
  ConvAttributes room;
  const Tensor w = step.input(1);
  const uint32_t channels = w.dims[0];
  return w.dims[1] == 1 && channels != 1 && channels == step.attributes(room).groups &&
         step.input(0).strides[1] == 1 && step.output(0).strides[1] == 1 && w.strides[0] == 1 &&
         (w.dims[3] == 1 || w.strides[3] == channels) &&
         (w.dims[2] == 1 || w.strides[2] == uint64_t{w.dims[3]} * channels);
}

uint64_t float_windows_conv_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  ConvAttributes room;
  const ConvAttributes& attributes = step.attributes(room);
  // Four channels of a place are read, then written.
  DistanceNest nest(kFloat);
  nest.add(DistanceLoop::blocks(y.dims[1], 4, kFloat, kFloat));
  for (uint32_t axis = 2; axis-- > 0;) {
    nest.add(DistanceLoop::window(conv_window(attributes, x, w, axis), y.dims[2 + axis],
                                  int64_t{y.strides[2 + axis]} * kFloat,
                                  int64_t{x.strides[2 + axis]} * kFloat));
  }
  nest.add(DistanceLoop::even(y.dims[0], int64_t{y.strides[0]} * kFloat,
                              int64_t{x.strides[0]} * kFloat));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_float_rows_conv(const Step& step, const Platform& platform, PieceFunction items) {
  const auto attributes = step.attributes<ConvAttributes>();
  uint32_t lines = 0;
  FloatRows p = conv_rows(step, lines);
  set_rows(step, lines, p);
  FloatRowsWork work = {p, step.input(0).strides[0], step.output(0).strides[0], lines,
                        row_floats(p, lines)};
  return run_work(platform, attributes.activation, step.output(0).dims[0], depth_of(step.input(1)),
                  items, work);
}

Status run_float_rows_matmul(const Step& step, const Platform& platform, PieceFunction items) {
  const auto attributes = step.attributes<MatMulAttributes>();
  const MatMulGeometry geometry(step, false);
  FloatRows p = matmul_rows(geometry);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  set_rows(step, 1, p);
  const uint32_t d = batch_dim(geometry.y);
  FloatRowsWork work = {p, geometry.a.strides[d], geometry.y.strides[d], 1, row_floats(p, 1)};
  return run_work(platform, attributes.activation, batches_of(geometry.y), p.channels, items, work);
}

Status run_float_windows_conv(const Step& step, const Platform& platform, PieceFunction items) {
  const auto attributes = step.attributes<ConvAttributes>();
  const FloatRows p = windows_of(step, attributes);
  FloatRowsWork work = {p, step.input(0).strides[0], step.output(0).strides[0],
                        step.output(0).dims[2], 0};
  return run_work(platform, attributes.activation, step.output(0).dims[0], p.kernel_h * p.kernel_w,
                  items, work);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
