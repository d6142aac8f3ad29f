// Serves the forms of integer products: which steps they take, the memory of their rows, the steps
// as their kernels see them, their work in pieces, and their distances.
#pragma once

#include "core/form.h"
#include "core/platform.h"
#include "core/step.h"
#include "ops/attributes.h"
#include "ops/packings.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_products.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {

// Scratch for so many words of each thread, with room to align them: operands need not be.
// The first `shared` words are for all threads.
constexpr ScratchNeed rows_scratch(uint32_t words, uint32_t shared = 0) {
  constexpr uint32_t kWord = sizeof(uint32_t);
  return {.bytes = shared * kWord + kWord - 1, .thread_bytes = words * kWord};
}
uint32_t* rows_of(const Step& step);

// Sets what x's type and zero point mean to a kernel.
void set_numbers(const Step& step, int32_t zero_point, int32_t outside, IntegerProducts& products);

// The first image of a quantized convolution, without its results.
IntegerProducts conv_products(const Step& step);
// Of a step without scratch.
IntegerProducts conv_products_in_place(const Step& step);
// The same where an image of which each place reads the one pixel in its own place, and whose lines
// follow each other evenly, is one line.
IntegerProducts line_products(const Step& step);
// The places of such a line.
uint32_t places_of_line(const Step& step);
// The first batch of a quantized matrix product, without its memory and results.
IntegerProducts matmul_products(const Step& step, const MatMulGeometry& geometry);

// Products of a sum of a convolution.
uint64_t depth_of(const Tensor& w);
// What so many products of weights that are less this zero point are in magnitude, in products of
// int8 weights.
constexpr uint32_t products_of(uint32_t depth, int32_t w_zero_point) {
  return w_zero_point == 0 ? depth : 2 * depth;
}
// The dim of a matrix product's batches, the last where there are none; and how many there are.
uint32_t batch_dim(const OutTensor& y);
uint32_t batches_of(const OutTensor& y);

// Whether weights that lie in no blocks are rows, [columns][k], one behind the other.
bool are_rows(const Tensor& w);
bool are_rows(const MatMulGeometry& geometry);

// Whether kernels can compute the step by weights in these blocks.
bool takes_conv_products(const Step& step, const Blocks& blocks);
bool takes_matmul_products(const Step& step, const Blocks& blocks);
// The same where results are the sums.
bool takes_conv_sums(const Step& step);
bool takes_matmul_sums(const Step& step);
// The columns that read each channel of a depthwise convolution: one, or as its depth multiplier
// says.
enum class ColumnsOfChannel : uint8_t { kOne, kAny };
// Whether they can compute the depthwise convolution by windows of up to so many lines and taps.
bool takes_depthwise_products(const Step& step, uint32_t lines_max, uint32_t taps_max,
                              ColumnsOfChannel columns = ColumnsOfChannel::kOne);
// The same where the taps of a line are apart, if its stride is 1.
bool takes_depthwise_phases(const Step& step, uint32_t lines_max, uint32_t taps_max,
                            ColumnsOfChannel columns = ColumnsOfChannel::kOne);
// Whether lines have one place, whose window kernels read where it lies: of any taps and padding.
bool takes_depthwise_place(const Step& step);
// Whether neighboring taps of a line are no neighbors in x. Such a line is computed in phases:
// places that lie the dilation apart read pixels that do, as a line without dilation. So many
// phases, and the places of the first.
bool has_taps_apart(const Step& step);
uint32_t phases_of_line(const Step& step);
uint32_t places_of_phase(const Step& step);

// Operations of a result: its products, and what it takes to fetch what they need, to requantize
// and to store it. On a Cortex-M4 that is 1.0 to 1.7 instructions an operation in the steps of VWW.
constexpr uint64_t work_of_result(uint32_t products) { return uint64_t{products} + 32; }

// The places of a piece of a line, by the work of a place.
constexpr uint32_t places_of_work(uint64_t work) {
  constexpr uint32_t kLeast = 4;  // a multiple of what kernels compute at once
  constexpr auto kEnough = static_cast<uint32_t>(2 * kWorthSplitting);
  if (work > kEnough / kLeast) return kLeast;
  return kEnough / static_cast<uint32_t>(work) / kLeast * kLeast;
}
// The places of a piece of a line that threads share, or at which pauses cut: of little work so
// many that it is worth a thread, of much no fewer than are computed at once. A line of several
// pieces is computed as a whole one is.
uint32_t places_of_piece(const IntegerProducts& products, uint32_t depth);

// The distance of a convolution that computes its lines one after the other, each as `nest` says;
// or all of them as one.
uint64_t distance_of_lines(const QuantizedConvAttributes& attributes, const Tensor& x,
                           const Tensor& w, const OutTensor& y, DistanceNest& nest,
                           bool one_line = false);

// The safe distances of forms that read all that so many places of a line need as at_once(places
// that are left) says, then write them.
uint64_t conv_products_distance(const Step& step, uint32_t input,
                                uint32_t (*at_once)(uint32_t left));
uint64_t matmul_products_distance(const Step& step, uint32_t input,
                                  uint32_t (*at_once)(uint32_t left));

// Parts (images or batches) of lines, cut into pieces of places that follow each other.
template <typename Products>
struct PlacesWork {
  Products products;
  size_t x_part, y_part;  // elements between parts
  uint32_t lines, piece;
  uint32_t row_words = 0;  // of a thread

  uint32_t pieces() const { return blocks_over(products.out_w, piece); }
};

using ProductWork = PlacesWork<IntegerProducts>;

// Calls compute(products of the part, line, first place, end of places) for pieces [first, last),
// those of a line that follow each other at once.
template <typename Products, typename Compute>
void for_pieces(const PlacesWork<Products>& work, uint32_t first, uint32_t last, uint32_t thread,
                const Compute& compute) {
  Products p = work.products;
  p.rows += size_t{thread} * work.row_words;
  const uint32_t pieces = work.pieces();
  for (uint32_t item = first; item < last;) {
    const uint32_t all_lines = item / pieces;
    const uint32_t piece = item - all_lines * pieces;
    const uint32_t count = last - item < pieces - piece ? last - item : pieces - piece;
    const uint32_t part = all_lines / work.lines;
    p.x = work.products.x + part * work.x_part;
    p.y = work.products.y + part * work.y_part;
    const bool to_end = piece + count == pieces;
    compute(p, all_lines - part * work.lines, piece * work.piece,
            to_end ? p.out_w : (piece + count) * work.piece);
    item += count;
  }
}

// The distance of a depthwise convolution that reads all that so many columns of a line need, then
// writes them; and of one that does so with each phase of a line.
uint64_t depthwise_distance(const Step& step, uint32_t input, uint32_t columns);
uint64_t depthwise_phases_distance(const Step& step, uint32_t input, uint32_t columns);
// The same of lines of one place, which may have taps apart.
uint64_t depthwise_place_distance(const Step& step, uint32_t input, uint32_t channels);

// Makes an image's products those of a phase.
void take_phase(uint32_t phase, IntegerProducts& products);

// Lines of the images of a depthwise convolution; Depthwise has IntegerProducts `products`.
template <typename Depthwise>
struct DepthwiseWork {
  Depthwise depthwise;
  size_t x_n, y_n;  // elements between images
  uint32_t lines;
  uint32_t row_words;   // of a thread
  uint32_t phases = 1;  // of a line
};

// Calls compute(depthwise of the image, line) for lines [first, last) of all images.
template <typename Depthwise>
void for_lines(const DepthwiseWork<Depthwise>& work, uint32_t first, uint32_t last, uint32_t thread,
               void (&compute)(const Depthwise&, uint32_t)) {
  Depthwise d = work.depthwise;
  d.products.rows += size_t{thread} * work.row_words;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t image = item / work.lines;
    d.products.x = work.depthwise.products.x + image * work.x_n;
    d.products.y = work.depthwise.products.y + image * work.y_n;
    compute(d, item % work.lines);
  }
}

// The same of phases [first, last) of the lines of all images, each as if it were a line.
template <typename Depthwise>
void for_phases(const DepthwiseWork<Depthwise>& work, uint32_t first, uint32_t last,
                uint32_t thread, void (&compute)(const Depthwise&, uint32_t)) {
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t line = item / work.phases;
    const uint32_t image = line / work.lines;
    Depthwise d = work.depthwise;
    d.products.rows += size_t{thread} * work.row_words;
    d.products.x += image * work.x_n;
    d.products.y += image * work.y_n;
    take_phase(item % work.phases, d.products);
    compute(d, line % work.lines);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
