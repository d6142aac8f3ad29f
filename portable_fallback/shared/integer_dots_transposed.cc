// Hands the phases of transposed convolutions to a kernel of dot products: the outputs a stride
// apart, along both dims of an image. All of them read the same taps, whose weights are made rows
// first, the last tap before the others: those of a convolution.
//
//   stride 2, taps 0 1 2 3    phase 0 (outputs 0 2 4 ...): x0 x1 times taps 2 0
//                             phase 1 (outputs 1 3 5 ...): x0 x1 times taps 3 1
#include "portable_fallback/shared/integer_dots_transposed.h"

#include <cstring>

#include "core/platform.h"
#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/integer_taps.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Height or width.
struct Axis {
  TransposedWindow window;
  uint32_t outputs;

  uint32_t phases() const { return window.stride < outputs ? window.stride : outputs; }
  uint32_t outputs_of(uint32_t phase) const { return (outputs - phase - 1) / window.stride + 1; }
  // Taps that reach an output, of the phase that has the most.
  uint32_t taps_most() const { return blocks_over(window.kernel, window.stride); }
};

Axis axis_of(const Step& step, uint32_t axis) {
  const auto attributes = step.attributes<QuantizedConvTransposeAttributes>();
  return {transposed_window(attributes, step.input(0), step.input(1), axis),
          step.output(0).dims[2 + axis]};
}

// How much there is of all, and where it lies in memory that threads share: of each phase and
// group, rows of weights, then panels, then biases.
struct Sizes {
  explicit Sizes(const Step& step)
      : height(axis_of(step, 1)),
        width(axis_of(step, 2)),
        groups(step.attributes<QuantizedConvTransposeAttributes>().groups),
        channels(step.input(1).dims[1]),
        columns(step.input(1).dims[0] / groups),
        phases(height.phases() * width.phases()),
        depth(height.taps_most() * width.taps_most() * channels),
        row_words(blocks_over(columns * depth, kPanelColumns * 4) * kPanelColumns) {
    const uint32_t in_panels = blocks_over(columns, kPanelColumns) * kPanelColumns;
    const uint64_t places =
        uint64_t{step.output(0).dims[0]} * height.outputs_of(0) * width.outputs_of(0);
    is_worth_panels = are_worth_panels(places, phases * groups * in_panels, depth);
    bias_columns = is_worth_panels ? in_panels : columns;
    panels = is_worth_panels ? in_panels / kPanelColumns * panel_words(depth) : 0;
  }
  uint32_t parts() const { return phases * groups; }
  uint64_t words() const { return uint64_t{parts()} * (row_words + panels + bias_columns); }

  Axis height, width;
  uint32_t groups, channels, columns, phases;
  uint32_t depth;      // products of a sum, at most
  uint32_t row_words;  // of a part, as `panels`
  uint32_t panels, bias_columns;
  bool is_worth_panels;
};

struct PhaseWork {
  Sizes sizes;
  decltype(IntegerDots::add) add;
  IntegerProducts products = {};              // of any phase, without its taps, weights and biases
  size_t x_n = 0, y_n = 0, y_h = 0, y_w = 0;  // elements between images and outputs
  const uint32_t* weights = nullptr;
  size_t weight_words = 0;    // between parts
  int32_t* biases = nullptr;  // null: the step's own
  uint32_t images = 1, piece = 1, row_words = 0;

  uint32_t pieces() const { return blocks_over(sizes.width.outputs_of(0), piece); }
  uint32_t items() const { return images * sizes.height.outputs * sizes.width.phases() * pieces(); }
};

// The window of a phase along an axis, whose tap 0 is the last that reaches its outputs. Positions
// behind the first input are a pad below 0, which wraps as places above the input do.
void set_window(const PhaseTaps& taps, uint32_t& kernel, uint32_t& pad) {
  kernel = taps.count;
  pad = taps.count - 1 - static_cast<uint32_t>(taps.position);
}

void set_phase(const PhaseWork& work, uint32_t phase, IntegerProducts& p) {
  const Sizes& sizes = work.sizes;
  const uint32_t phase_h = phase / sizes.width.phases(), phase_w = phase % sizes.width.phases();
  set_window(sizes.height.window.phase_taps(phase_h), p.kernel_h, p.pad_h);
  set_window(sizes.width.window.phase_taps(phase_w), p.kernel_w, p.pad_w);
  p.out_w = sizes.width.outputs_of(phase_w);
  p.y += phase_h * work.y_h + phase_w * work.y_w;
}

void set_group(const PhaseWork& work, uint32_t phase, uint32_t group, IntegerProducts& p) {
  const size_t part = size_t{phase} * work.sizes.groups + group;
  p.w = static_cast<const std::byte*>(
      static_cast<const void*>(work.weights + part * work.weight_words));
  const size_t column = size_t{group} * p.columns;
  const IntegerResults& all = work.products.results;
  p.x = work.products.x + group * (p.channels * p.x_c);
  p.results.multipliers = all.multipliers + column * all.factor_step;
  p.results.shifts = all.shifts + column * all.factor_step;
  if (work.biases != nullptr) {
    p.results.bias = work.biases + part * work.sizes.bias_columns;
    p.results.bias_step = 1;
  } else {
    p.results.bias = all.bias + column * all.bias_step;
  }
}

// Makes the weights of a part rows.
void copy_rows(const Step& step, const PhaseWork& work, uint32_t phase, uint32_t group,
               int8_t* to) {
  const Sizes& sizes = work.sizes;
  const Tensor w = step.input(1);
  const TransposedWindow& height = sizes.height.window;
  const TransposedWindow& width = sizes.width.window;
  const PhaseTaps of_h = height.phase_taps(phase / sizes.width.phases());
  const PhaseTaps of_w = width.phase_taps(phase % sizes.width.phases());
  const size_t tap_bytes = sizes.channels;
  const size_t column_bytes = size_t{height.kernel} * width.kernel * tap_bytes;
  const auto* from = static_cast<const int8_t*>(static_cast<const void*>(w.data)) +
                     size_t{group} * sizes.columns * column_bytes;
  for (uint32_t column = 0; column < sizes.columns; ++column, from += column_bytes) {
    for (uint32_t h = of_h.count; h-- > 0;) {
      for (uint32_t k = of_w.count; k-- > 0; to += tap_bytes) {
        const uint32_t tap =
            (of_h.first + h * height.tap_step) * width.kernel + of_w.first + k * width.tap_step;
        std::memcpy(to, from + tap * tap_bytes, tap_bytes);
      }
    }
  }
}

// Makes all weights rows, and panels and biases of these where the kernel wants them.
void prepare(const Step& step, const IntegerDots& kernel, uint32_t* words, PhaseWork& work) {
  const Sizes& sizes = work.sizes;
  uint32_t* const panels = words + size_t{sizes.parts()} * sizes.row_words;
  auto* const biases =
      static_cast<int32_t*>(static_cast<void*>(panels + size_t{sizes.parts()} * sizes.panels));
  const bool packs = kernel.pack != nullptr && sizes.is_worth_panels;
  work.weights = words;
  work.weight_words = sizes.row_words;
  for (uint32_t part = 0; part < sizes.parts(); ++part) {
    const uint32_t phase = part / sizes.groups, group = part % sizes.groups;
    uint32_t* const rows = words + size_t{part} * sizes.row_words;
    copy_rows(step, work, phase, group, static_cast<int8_t*>(static_cast<void*>(rows)));
    IntegerProducts p = work.products;
    set_phase(work, phase, p);
    set_group(work, phase, group, p);
    int32_t* const of_part = biases + size_t{part} * sizes.bias_columns;
    if (packs) {
      kernel.pack(p, panels + size_t{part} * sizes.panels, of_part);
    } else if (kernel.fold != nullptr) {
      kernel.fold(p, of_part);
    }
  }
  if (packs) {
    work.weights = panels;
    work.weight_words = sizes.panels;
    work.add = kernel.add_panels;
  }
  if (packs || kernel.fold != nullptr) work.biases = biases;
}

void phase_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const PhaseWork*>(argument);
  const Sizes& sizes = work.sizes;
  const uint32_t pieces = work.pieces(), phases_w = sizes.width.phases();
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t line = item / pieces / phases_w;
    const uint32_t row = line % sizes.height.outputs, image = line / sizes.height.outputs;
    const uint32_t phases_h = sizes.height.phases();
    const uint32_t phase = row % phases_h * phases_w + item / pieces % phases_w;
    IntegerProducts p = work.products;
    p.rows += size_t{thread} * work.row_words;
    set_phase(work, phase, p);
    p.y += image * work.y_n;
    const Dst<int8_t> y = p.y;
    uint32_t place = item % pieces * work.piece;
    const uint32_t end =
        p.out_w - place < work.piece || p.out_w < place ? p.out_w : place + work.piece;
    while (place < end) {
      const uint32_t places = dot_places_at_once(end - place);
      for (uint32_t group = 0; group < sizes.groups; ++group) {
        set_group(work, phase, group, p);
        p.x += image * work.x_n;
        p.y = y + size_t{group} * p.columns * p.y_c;
        work.add(p, row / phases_h, place, place + places);
      }
      place += places;
    }
  }
}

}  // namespace

bool takes_dot_conv_transpose(const Step& step) {
  const Tensor w = step.input(1);
  if (w.layout() != Layout::kStrided || !takes_transposed_taps(step, {}) || !are_tap_rows(w) ||
      is_empty(step.output(0))) {
    return false;
  }
  QuantizedConvTransposeAttributes room;
  const QuantizedConvTransposeAttributes& attributes = step.attributes(room);
  if (step.input(0).dims[2] != 1 || w.dims[2] != 1 || step.output(0).dims[2] != 1 ||
      attributes.pad_begin[0] != 0) {
    return false;
  }
  // So that taps reach each output.
  for (uint32_t axis = 1; axis < 3; ++axis) {
    const bool alone = w.dims[2 + axis] == 1;
    if (attributes.stride[axis] > w.dims[2 + axis]) return false;
    if (attributes.dilation[axis] != 1 && !alone) return false;
  }
  return true;
}

ScratchNeed dot_conv_transpose_scratch(const Step& step) {
  const Sizes sizes(step);
  return aligned_dot_scratch(dot_row_words(sizes.width.outputs_of(0), sizes.depth), sizes.words());
}

uint64_t dot_conv_transpose_distance(const Step& step, uint32_t input) {
  return transposed_taps_distance(step, input, dot_places_at_once);
}

Status run_dot_conv_transpose(const Step& step, const Platform& platform,
                              const IntegerDots& kernel) {
  const auto attributes = step.attributes<QuantizedConvTransposeAttributes>();
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  PhaseWork work = {Sizes(step), kernel.add};
  const Sizes& sizes = work.sizes;
  IntegerProducts& p = work.products;
  uint32_t* const words = aligned_dot_words(step);
  p.x = x.read<std::byte>();
  p.y = y.write<int8_t>();
  p.rows = words + sizes.words();
  p.x_c = x.strides[1];
  p.x_h = x.strides[3];
  p.x_w = x.strides[4];
  p.y_c = y.strides[1];
  p.y_h = size_t{sizes.height.window.stride} * y.strides[3];
  p.y_w = size_t{sizes.width.window.stride} * y.strides[4];
  p.in_h = x.dims[3];
  p.in_w = x.dims[4];
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.channels = sizes.channels;
  p.joined = p.x_w == p.channels * p.x_c;
  p.w_zero_point = attributes.w_zero_point;
  // Taps beside x add nothing.
  set_numbers(step, attributes.x_zero_point, attributes.x_zero_point, p);
  p.columns = y.dims[1];
  set_dot_results(step, attributes.output, sizes.depth, p);
  const uint64_t of_place = p.columns * work_of_result(sizes.depth);
  work.piece = blocks_over(places_of_work(of_place), kDotPlaces) * kDotPlaces;
  p.columns = sizes.columns;
  work.x_n = x.strides[0];
  work.y_n = y.strides[0];
  work.y_h = y.strides[3];
  work.y_w = y.strides[4];
  work.images = y.dims[0];
  work.row_words = dot_row_words(sizes.width.outputs_of(0), sizes.depth);
  prepare(step, kernel, words, work);
  split(platform, work.items(), element_count(y) / y.dims[1] * of_place, phase_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
