// Depthwise convolution of 8-bit integers with Arm's MVE, for windows that
// integer_depthwise_mve.cc does not take, for uint8 x and for weights with a zero point.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_windows_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Larger windows and steps would need more memory than they are worth.
constexpr uint32_t kSideMax = 64;
constexpr uint64_t kRowWordsMax = 4096;

WindowWords words_of(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor w = step.input(1);
  return WindowWords(w.dims[2], w.dims[3], attributes.stride[1], attributes.dilation[1],
                     mve_windows_at_once(step.output(0).dims[3]));
}

// Whether the pixels that are turned into words are those of windows, with none between them.
bool has_no_gaps(const Step& step, const WindowWords& words) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor w = step.input(1);
  if (step.output(0).dims[3] == 1) return true;
  const uint32_t stride = attributes.stride[1];
  const uint32_t dilation = w.dims[3] == 1 ? 1 : attributes.dilation[1];
  if (w.dims[3] == 1) return w.dims[2] != 1 || stride == 1;
  if (w.dims[2] != 1) return stride <= (w.dims[3] - 1) * dilation + words.step;
  return stride % dilation == 0 && stride <= w.dims[3] * dilation;
}

// Whether a form with less to do takes the step: that of integer_depthwise_mve.cc.
bool is_plain(const Step& step, const QuantizedConvAttributes& attributes) {
  return step.dtype(0) == DType::kInt8 && attributes.w_zero_point == 0 &&
         !rounds_once(attributes.output) &&
         takes_depthwise_products(step, 3, 4);  // kMveLines, kMveTaps
}

bool takes_windows(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(x) || is_empty(w) || is_empty(y)) return false;
  const bool one_channel = w.dims[0] != 1 && attributes.groups == 1;
  if (w.dims[1] != 1 || one_channel) return false;
  if (x.strides[1] != 1 || w.strides[0] != 1 || y.strides[1] != 1) return false;
  for (const uint32_t size : {w.dims[2], w.dims[3], attributes.stride[1], attributes.dilation[0],
                              attributes.dilation[1]}) {
    if (size > kSideMax) return false;
  }
  const WindowWords words = words_of(step);
  return words.row_words() <= kRowWordsMax && has_no_gaps(step, words) &&
         takes_integer_results(step) && !is_plain(step, attributes);
}

// Whether biases are made: with what the zero point of x adds, or as one for each output.
bool makes_biases(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const int32_t none = step.dtype(0) == DType::kUint8 ? 128 : 0;
  return attributes.x_zero_point != none || !has_bias_of_each_output(step);
}

uint32_t bias_words(const Step& step) { return makes_biases(step) ? step.output(0).dims[1] : 0; }

ScratchNeed windows_scratch(const Step& step) {
  const WindowWords words = words_of(step);
  return rows_scratch(static_cast<uint32_t>(words.row_words()),
                      bias_words(step) + 4 * words.vectors());
}

uint64_t windows_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  // What sixteen columns of some places of a line need is read, then they are written. The pixels
  // are read at even steps, those of windows of one line at all that lie in one.
  Window width = conv_window(attributes, x, step.input(1), 1);
  if (width.kernel > 1 && step.input(1).dims[2] != 1) {
    const uint32_t step_of = words_of(step).step;
    width.kernel = (width.kernel - 1) * width.dilation / step_of + 1;
    width.dilation = step_of;
  }
  DistanceNest nest(1);
  nest.add(DistanceLoop::shared_blocks(y.dims[1], kWindowChannels, y.dims[1] / attributes.groups));
  nest.add(DistanceLoop::window_pieces(width, y.dims[3], y.strides[3], x.strides[3],
                                       mve_windows_at_once));
  return distance_of_lines(attributes, x, step.input(1), y, nest);
}

struct WindowWork {
  MveWindows windows;
  size_t x_n, y_n;         // elements between images
  uint32_t lines, pieces;  // of an image, of a line
  uint32_t row_words;
};

void window_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const WindowWork*>(argument);
  MveWindows windows = work.windows;
  IntegerProducts& p = windows.products;
  p.rows += size_t{thread} * work.row_words;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t all_lines = item / work.pieces;
    const uint32_t image = all_lines / work.lines;
    p.x = work.windows.products.x + image * work.x_n;
    p.y = work.windows.products.y + image * work.y_n;
    add_windows_mve(windows, all_lines - image * work.lines,
                    (item - all_lines * work.pieces) * kWindowPlaces);
  }
}

Status run_windows(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  const Tensor w = step.input(1);
  const WindowWords words = words_of(step);
  const uint32_t taps = w.dims[2] * w.dims[3];
  WindowWork work = {{conv_products(step), w.strides[2], w.strides[3], words.pixels, words.step,
                      y.dims[1] / step.attributes<QuantizedConvAttributes>().groups, nullptr},
                     step.input(0).strides[0],
                     y.strides[0],
                     y.dims[2],
                     blocks_over(y.dims[3], kWindowPlaces),
                     static_cast<uint32_t>(words.row_words())};
  IntegerProducts& p = work.windows.products;
  p.results = integer_results(step, step.attributes<QuantizedConvAttributes>().output, taps);
  find_single_roundings(p.results, p.columns, products_of(taps, p.w_zero_point));
  p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
  set_window_offsets(work.windows, p.rows);
  work.windows.offsets = p.rows;
  p.rows += 4 * words.vectors();
  if (makes_biases(step)) {
    auto* biases = static_cast<int32_t*>(static_cast<void*>(p.rows));
    p.rows += p.columns;
    fold_windows_mve(work.windows, biases);
    p.results.bias = biases;
    p.results.bias_step = 1;
  }
  split(platform, y.dims[0] * work.lines * work.pieces, element_count(y) * work_of_result(taps),
        window_items, &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvForm13 = make_form(Op::kQuantizedConv, 13,
                                                {.parallel = true,
                                                 .scratch = windows_scratch,
                                                 .safe_distance = windows_distance,
                                                 .accepts = takes_windows,
                                                 .run = run_windows});
ARENITE_FORM_CODE(QuantizedConv, 13)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
