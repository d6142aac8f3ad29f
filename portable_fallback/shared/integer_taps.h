// Serves the forms of integer products of places that read taps of their own: convolutions in
// groups of several channels or outputs, and transposed ones.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "ops/attributes.h"
#include "ops/quantized.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_taps.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/int16_products.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// One axis of outputs. Those that lie `phases` apart read the same taps of the weights, `advance`
// positions of x on.
struct OutputAxis {
  TransposedWindow window;  // what says the taps, of a convolution too
  uint32_t outputs, phases, advance;
  size_t y_step;          // bytes
  uint32_t tap_products;  // from a tap of the weights to the next
};

// The lines of all images: of an image, a slice and a row one for each phase of places, cut into
// pieces of places.
struct TapsWork {
  IntegerTaps taps;
  OutputAxis axes[3];
  bool is_transposed;
  size_t x_n, y_n;  // bytes between images
  uint32_t images, piece;
  uint32_t bias_words, row_words;  // of a thread: biases of its own, then rows
  const Int16Results* int16;       // of 16 bits

  uint32_t pieces() const {
    return blocks_over(blocks_over(axes[2].outputs, axes[2].phases), piece);
  }
  uint32_t items() const {
    return images * axes[0].outputs * axes[1].outputs * axes[2].phases * pieces();
  }
  // Sets a line and its taps; returns its number of places.
  uint32_t set_line(uint32_t line, IntegerTaps& p) const;
};

// The most that a place needs: its runs of products; and the places of a line.
struct TapsSizes {
  uint32_t runs, length, places;
  uint32_t products() const { return runs * length; }
};

// Without memory and results, of a step whose operands are not empty.
TapsWork grouped_taps(const Step& step);
TapsWork transposed_taps(const Step& step);
TapsSizes sizes_of(const TapsWork& work);

// Whether kernels can compute the step by weights in these blocks.
bool takes_grouped_taps(const Step& step, const Blocks& blocks);
bool takes_transposed_taps(const Step& step, const Blocks& blocks);
// The same of 16-bit activations.
bool takes_int16_grouped_taps(const Step& step, const Blocks& blocks);
bool takes_int16_transposed_taps(const Step& step, const Blocks& blocks);
// Whether weights that lie in no blocks are rows, [columns][k], one behind the other.
bool are_tap_rows(const Tensor& w);

// The safe distances of forms that read all that so many places of a line need of a group, as
// at_once(places that are left) says, then write the group's columns of them, group by group.
uint64_t grouped_taps_distance(const Step& step, uint32_t input,
                               uint32_t (*at_once)(uint32_t left));
uint64_t transposed_taps_distance(const Step& step, uint32_t input,
                                  uint32_t (*at_once)(uint32_t left));

// Calls begin(taps, the thread's memory) for each line, then compute(taps, first place, end of
// places), for pieces [first, last), those of a line that follow each other at once.
template <typename Begin, typename Compute>
void for_tap_pieces(const TapsWork& work, uint32_t first, uint32_t last, uint32_t thread,
                    const Begin& begin, const Compute& compute) {
  IntegerTaps p = work.taps;
  uint32_t* const memory = p.rows + thread * size_t{work.bias_words + work.row_words};
  p.rows = memory + work.bias_words;
  const uint32_t pieces = work.pieces();
  for (uint32_t item = first; item < last;) {
    const uint32_t line = item / pieces;
    const uint32_t piece = item - line * pieces;
    const uint32_t count = last - item < pieces - piece ? last - item : pieces - piece;
    const uint32_t places = work.set_line(line, p);
    const uint32_t end = (piece + count) * work.piece;
    begin(p, memory);
    compute(p, piece * work.piece, end < places ? end : places);
    item += count;
  }
}

// The part that is the same in all kernels of 16-bit activations; `compute` computes places of a
// line.
template <void (&compute)(const IntegerTaps&, const Int16Results&, uint32_t, uint32_t)>
struct Int16TapKernel {
  static bool takes_rows(const Tensor&) { return true; }
  static bool makes_biases(const Step&, int32_t) { return false; }
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    const auto& work = *static_cast<const TapsWork*>(argument);
    for_tap_pieces(
        work, first, last, thread, [](IntegerTaps&, uint32_t*) {},
        [&](const IntegerTaps& p, uint32_t place, uint32_t end) {
          compute(p, *work.int16, place, end);
        });
  }
};

// The forms of a kernel, which has
//   static constexpr Packings kPackings: of its weights,
//   static constexpr bool kHasSmallResults: it asks IntegerResults which are small,
//   static bool takes_rows(const Tensor& w): whether weights in no blocks are those that it reads,
//   static uint32_t at_once(uint32_t left): places at once,
//   static uint32_t row_words(const TapsSizes& sizes),
//   static bool makes_biases(const Step& step, int32_t zero_point): whether threads have their own,
//   static void items(void* work, uint32_t first, uint32_t last, uint32_t thread).
// kIsInt16: x and y are int16, of which a kernel finds the results in TapsWork::int16.
template <typename Kernel, bool kIsInt16 = false>
struct TapForms {
  static ScratchNeed scratch(const Step& step, const TapsWork& work, int32_t zero_point) {
    const uint32_t biases = Kernel::makes_biases(step, zero_point) ? step.output(0).dims[1] : 0;
    return rows_scratch(biases + Kernel::row_words(sizes_of(work)));
  }

  static Status run(const Step& step, const Platform& platform, const Requantization& output,
                    int32_t zero_point, TapsWork& work) {
    IntegerTaps& p = work.taps;
    const OutTensor y = step.output(0);
    const uint32_t columns = y.dims[1];
    const TapsSizes sizes = sizes_of(work);
    p.rows = rows_of(step);
    work.bias_words = Kernel::makes_biases(step, zero_point) ? columns : 0;
    work.row_words = Kernel::row_words(sizes);
    const uint64_t of_place = columns * work_of_result(sizes.products());
    work.piece = places_of_work(of_place);
    const uint64_t all = element_count(y) / columns * of_place;
    if constexpr (kIsInt16) {
      const Int16Results results = int16_results(step, output, columns, sizes.products());
      work.int16 = &results;
      split(platform, work.items(), all, Kernel::items, &work);
    } else {
      const uint32_t products = products_of(sizes.products(), p.w_zero_point);
      p.results = integer_results(step, output, products);
      find_single_roundings(p.results, columns, products);
      if constexpr (Kernel::kHasSmallResults) find_small_outputs(p.results, columns, products);
      p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, columns);
      split(platform, work.items(), all, Kernel::items, &work);
    }
    return ok_status();
  }
  static uint64_t bytes_of(uint64_t distance) {
    return kIsInt16 ? int16_distance(distance) : distance;
  }

  static ScratchNeed grouped_scratch(const Step& step) {
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    return scratch(step, grouped_taps(step), attributes.x_zero_point);
  }
  static uint64_t grouped_distance(const Step& step, uint32_t input) {
    return bytes_of(grouped_taps_distance(step, input, Kernel::at_once));
  }
  static bool takes_grouped(const Step& step) {
    constexpr auto& takes = kIsInt16 ? takes_int16_grouped_taps : takes_grouped_taps;
    return Kernel::takes_rows(step.input(1)) && takes(step, Kernel::kPackings.blocks);
  }
  static Status run_grouped(const Step& step, const Platform& platform) {
    if (is_empty(step.output(0))) return ok_status();
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    // Made where it stays: a copy would be a tenth of the stack below run.
    TapsWork work = grouped_taps(step);
    return run(step, platform, attributes.output, attributes.x_zero_point, work);
  }

  static ScratchNeed transposed_scratch(const Step& step) {
    const auto attributes = step.attributes<QuantizedConvTransposeAttributes>();
    return scratch(step, transposed_taps(step), attributes.x_zero_point);
  }
  static uint64_t transposed_distance(const Step& step, uint32_t input) {
    return bytes_of(transposed_taps_distance(step, input, Kernel::at_once));
  }
  static bool takes_transposed(const Step& step) {
    constexpr auto& takes = kIsInt16 ? takes_int16_transposed_taps : takes_transposed_taps;
    return Kernel::takes_rows(step.input(1)) && takes(step, Kernel::kPackings.blocks);
  }
  static Status run_transposed(const Step& step, const Platform& platform) {
    if (is_empty(step.output(0))) return ok_status();
    const auto attributes = step.attributes<QuantizedConvTransposeAttributes>();
    TapsWork work = transposed_taps(step);
    return run(step, platform, attributes.output, attributes.x_zero_point, work);
  }

  static constexpr Form grouped(uint8_t number) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .packings = Kernel::kPackings,
                      .scratch = grouped_scratch,
                      .safe_distance = grouped_distance,
                      .accepts = takes_grouped,
                      .run = run_grouped});
  }
  static constexpr Form transposed(uint8_t number) {
    return make_form(Op::kQuantizedConvTranspose, number,
                     {.parallel = true,
                      .packings = Kernel::kPackings,
                      .scratch = transposed_scratch,
                      .safe_distance = transposed_distance,
                      .accepts = takes_transposed,
                      .run = run_transposed});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
