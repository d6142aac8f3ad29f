// Serves the forms of products of 16-bit activations and 8-bit weights: which steps they take, the
// steps as their kernels see them, their work in pieces, and their distances.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/quantized.h"
#include "portable_fallback/fast/int16_products.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Whether the step's types are those of such kernels, and biases, multipliers and shifts vary by
// output alone.
bool takes_int16_results(const Step& step);
// Whether kernels can compute the step by weights in these blocks.
bool takes_int16_conv(const Step& step, const Blocks& blocks);
bool takes_int16_matmul(const Step& step, const Blocks& blocks);
bool takes_int16_depthwise(const Step& step);

// Whether a matrix product has a single row whose numbers are neighbors: it is read in place.
bool is_int16_vector(const Step& step);

// The results of so many columns, of so many products each.
Int16Results int16_results(const Step& step, const Requantization& output, uint32_t columns,
                           uint32_t depth);
// The first image or batch as kernels see it, with results of so many products each.
Int16Products int16_products(const Step& step, const IntegerProducts& shape,
                             const Requantization& output, uint32_t depth);

// Bytes of a distance in elements.
constexpr uint64_t int16_distance(uint64_t elements) {
  return elements == kNoOverlap ? kNoOverlap : sizeof(int16_t) * elements;
}
// Returns the bytes of a row that is read in place for so many columns at once.
uint64_t int16_vector_distance(const Step& step, uint32_t columns_at_once);
// Returns the bytes of a depthwise convolution whose places read and write so many columns at once.
uint64_t int16_depthwise_distance(const Step& step, uint32_t input, uint32_t columns_at_once);

using Int16Work = PlacesWork<Int16Products>;

// Runs compute(products of the part, line, first place, end of places) on pieces.
void split_int16(const Step& step, const Platform& platform, uint32_t depth, Int16Work& work,
                 void (*items)(void*, uint32_t, uint32_t, uint32_t));

// The forms of a kernel, which has
//   static void compute(products, line, place, end),
//   static uint32_t at_once(uint32_t left), row_words(uint32_t places, uint32_t depth),
//   static constexpr uint32_t kColumns: that a row that is read in place is read for at once,
//   static constexpr Blocks kBlocks: of weights.
template <typename Kernel>
struct Int16ProductForms {
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_pieces(*static_cast<const Int16Work*>(argument), first, last, thread, Kernel::compute);
  }

  static bool takes_conv(const Step& step) { return takes_int16_conv(step, Kernel::kBlocks); }
  static bool takes_matmul(const Step& step) { return takes_int16_matmul(step, Kernel::kBlocks); }

  static ScratchNeed conv_scratch(const Step& step) {
    const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
    return rows_scratch(Kernel::row_words(places_of_line(step), depth));
  }
  static uint64_t conv_distance(const Step& step, uint32_t input) {
    return int16_distance(conv_products_distance(step, input, Kernel::at_once));
  }
  static Status run_conv(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    if (is_empty(y)) return ok_status();
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
    const IntegerProducts shape = line_products(step);
    Int16Work work = {int16_products(step, shape, attributes.output, depth),
                      step.input(0).strides[0],
                      y.strides[0],
                      shape.one_pixel ? 1 : y.dims[2],
                      places_of_piece(shape, depth),
                      Kernel::row_words(shape.out_w, depth)};
    split_int16(step, platform, depth, work, items);
    return ok_status();
  }

  static ScratchNeed matmul_scratch(const Step& step) {
    if (is_int16_vector(step)) return {};
    const MatMulGeometry geometry(step, false);
    return rows_scratch(Kernel::row_words(geometry.y.dims[geometry.row()], geometry.inner()));
  }
  static uint64_t matmul_distance(const Step& step, uint32_t input) {
    if (input == 0 && is_int16_vector(step)) return int16_vector_distance(step, Kernel::kColumns);
    return int16_distance(matmul_products_distance(step, input, Kernel::at_once));
  }
  static Status run_matmul(const Step& step, const Platform& platform) {
    const MatMulGeometry geometry(step, false);
    const OutTensor& y = geometry.y;
    if (is_empty(y)) return ok_status();
    const auto attributes = step.attributes<QuantizedMatMulAttributes>();
    const IntegerProducts shape = matmul_products(step, geometry);
    const uint32_t d = batch_dim(y);
    Int16Work work = {int16_products(step, shape, attributes.output, shape.channels),
                      geometry.a.strides[d],
                      y.strides[d],
                      1,
                      places_of_piece(shape, shape.channels),
                      Kernel::row_words(shape.out_w, shape.channels)};
    work.products.in_place = is_int16_vector(step);
    if (!work.products.in_place) work.products.rows = rows_of(step);
    split_int16(step, platform, shape.channels, work, items);
    return ok_status();
  }

  static constexpr Form form(Op op, uint8_t number) {
    const bool conv = op == Op::kQuantizedConv;
    return make_form(op, number,
                     {.parallel = true,
                      .packings = {layout_bit(Layout::kBlocked), Kernel::kBlocks},
                      .scratch = conv ? conv_scratch : matmul_scratch,
                      .safe_distance = conv ? conv_distance : matmul_distance,
                      .accepts = conv ? takes_conv : takes_matmul,
                      .run = conv ? run_conv : run_matmul});
  }
};

// The form of a depthwise kernel, which has
//   static void compute(products, line),
//   static constexpr uint32_t kChannels: that are computed at once.
template <typename Kernel>
struct Int16DepthwiseForm {
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_pieces(*static_cast<const Int16Work*>(argument), first, last, thread,
               [](const Int16Products& p, uint32_t line, uint32_t, uint32_t) {
                 Kernel::compute(p, line);
               });
  }

  static uint64_t distance(const Step& step, uint32_t input) {
    return int16_depthwise_distance(step, input, Kernel::kChannels);
  }

  static Status run(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    const Tensor w = step.input(1);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const uint32_t taps = w.dims[2] * w.dims[3];
    const IntegerProducts shape = conv_products_in_place(step);
    Int16Work work = {int16_products(step, shape, attributes.output, taps),
                      step.input(0).strides[0],
                      y.strides[0],
                      y.dims[2],
                      y.dims[3],
                      0};
    work.products.columns_of_channel = w.dims[0] / attributes.groups;
    work.products.w_h = w.strides[2];
    work.products.w_w = w.strides[3];
    split_int16(step, platform, taps, work, items);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .safe_distance = distance,
                      .accepts = takes_int16_depthwise,
                      .run = run});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
