// A pointwise convolution becomes one of a single row; tiles are as large as leave a GPU busy.
#include "kernels/dispatch/whole_conv.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/integers.h"
#include "kernels/shaders/shared/each_element.h"
#include "ops/quantized_conv_ends.h"

namespace arenite {
namespace {

// A pointwise convolution is the same for any shape of the image: one long row wastes least.
ConvImage flat_image(const IntegerSumStep& operands, const QuantizedConvAttributes& a) {
  const ConvImage image = conv_image(operands);
  const Operand& w = operands.w;
  const bool pointwise = w.dims[2] == 1 && w.dims[3] == 1 && a.stride[0] == 1 && a.stride[1] == 1 &&
                         a.pad_begin[0] == 0 && a.pad_begin[1] == 0 &&
                         image.height == image.out_height && image.width == image.out_width;
  if (!pointwise || !crosses_rows_in_one_stride(operands.x) ||
      !crosses_rows_in_one_stride(operands.y)) {
    return image;
  }
  return {1, image.height * image.width, 1, image.height * image.width};
}

// Whether elements of a window's row lie side by side in x and in w, as channels of neighboring
// columns do, in whichever words.
bool has_whole_rows(const IntegerSumStep& operands, const QuantizedConvAttributes& a) {
  const Operand& x = operands.x;
  const Operand& w = operands.w;
  if (a.groups != 1 || w.dims[1] == 0 || w.layout != Layout::kStrided ||
      element_bytes(x.dtype) != 1 || element_bytes(w.dtype) != 1 || x.strides[1] != 1 ||
      w.strides[1] != 1 || x.strides[3] < x.dims[1]) {
    return false;
  }
  // Shaders count elements of a row in int32, those of its borders too.
  const uint64_t columns =
      uint64_t{operands.y.dims[3]} * a.stride[1] + a.pad_begin[1] + w.dims[3] + x.dims[3];
  if (columns >= 0x7fffffffu / x.strides[3]) return false;
  return w.dims[3] == 1 ||
         (a.dilation[1] == 1 && x.strides[3] == x.dims[1] && w.strides[3] == w.dims[1]);
}

// The same convolution of one channel: each column has become as many as its elements are apart.
void take_whole_rows(WholeConv& conv) {
  const uint32_t channels = conv.pass.depth;
  ConvColumns& columns = conv.columns;
  conv.image.width = (conv.image.width - 1) * columns.x_stride + channels;
  columns.kernel *= channels;
  columns.stride *= columns.x_stride;
  columns.pad *= columns.x_stride;
  columns.x_stride = columns.w_stride = 1;
  conv.pass.words = WordUse::kWordsOfRows;
}

bool shares_sums(WordUse words) {
  return words == WordUse::kVectorsOfRuns || words == WordUse::kWordsOfRuns ||
         words == WordUse::kWordsOfRows || words == WordUse::kWordsOfSums;
}

// An invocation with a tile of its own takes these turns, one behind the other. Times are ns on an
// H200.
struct Turns {
  uint64_t count;
  double each, each_place;  // of a turn
  double load;              // of all that all invocations load, each vector or word
};

Turns turns_of(const WholeConv& conv) {
  const uint64_t rows = conv.operands.w.dims[2], columns = conv.columns.kernel;
  switch (conv.pass.words) {
    case WordUse::kVectorsOfRuns:
      return {rows * columns * (conv.pass.depth / 16), 170, 60, 0.6e-3};
    case WordUse::kWordsOfRuns:
      return {rows * columns * (conv.pass.depth / 4), 190, 28, 0.35e-3};
    case WordUse::kWordsOfRows:
      return {rows * ((columns + 3) / 4), 320, 41, 1.0e-3};
    default:
      return {rows, 630 * static_cast<double>((columns + 2) / 3), 9, 0};
  }
}

// Predicts how many ns such tiles take, less the time that all tiles take. The numbers fit times of
// 223 convolutions of six networks by 18 tiles each on an H200: the root of the mean square of
// relative differences is 0.1.
double predicted_ns(const WholeConv& conv, const WholeTile& tile) {
  const Turns turns = turns_of(conv);
  const uint64_t slices = uint64_t{1} << tile.slices_log;
  const uint64_t turns_of_slice = (turns.count + slices - 1) / slices;
  const double places = 1u << tile.places_log;
  const auto tiles = static_cast<double>(tiles_of(conv, 1u << tile.places_log));
  return static_cast<double>(turns_of_slice) * (turns.each + turns.each_place * places) +
         tiles * static_cast<double>(turns.count) * (4 + places) * turns.load +
         tiles * static_cast<double>(slices) * (slices == 1 ? 0.009 : 0.009 + 0.0115 * places) +
         370 * places;
}

}  // namespace

ConvImage conv_image(const IntegerSumStep& operands) {
  return {operands.x.dims[2], operands.x.dims[3], operands.y.dims[2], operands.y.dims[3]};
}

ConvColumns conv_columns(const IntegerSumStep& operands, const QuantizedConvAttributes& a) {
  return {operands.w.dims[3], a.stride[1], a.pad_begin[1], operands.x.strides[3],
          operands.w.strides[3]};
}

shaders::ConvOwn conv_words(const IntegerSumStep& operands, const QuantizedConvAttributes& a,
                            const ConvImage& image, const ConvColumns& columns,
                            const shaders::ChannelWords& channels) {
  const auto along = [](uint32_t rows, uint32_t own) {
    return [=](uint32_t d) { return d == 0 ? rows : own; };
  };
  return {.channels = channels,
          .height = image.height,
          .width = image.width,
          .out_height = image.out_height,
          .out_width = image.out_width,
          .kernel = along(operands.w.dims[2], columns.kernel),
          .stride = along(a.stride[0], columns.stride),
          .dilation = a.dilation,
          .pad = along(a.pad_begin[0], columns.pad),
          .x_strides = along(operands.x.strides[2], columns.x_stride),
          .w_strides = along(operands.w.strides[2], columns.w_stride),
          .sum_strides = shaders::first_of(operands.sums.strides + 2)};
}

shaders::ConvOwn conv_words(const WholeConv& conv) {
  return conv_words(conv.operands, conv.attributes, conv.image, conv.columns, conv.channels);
}

WholeConv whole_conv(const Step& step, Shader shader, bool one_row) {
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  const auto a = step.attributes<QuantizedConvAttributes>();
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  const bool same_x = operands.w.dims[1] != 1 || a.groups == 1;
  pass.words = words_of_whole(operands, pass, same_x, kChannelAxis, kChannelAxis);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  const ConvImage image = one_row ? flat_image(operands, a) : conv_image(operands);
  WholeConv conv = {operands, a, pass, channels, image, conv_columns(operands, a)};
  if (pass.words == WordUse::kBytesOfRuns && has_whole_rows(operands, a)) take_whole_rows(conv);
  return conv;
}

uint64_t tiles_of(const WholeConv& conv, uint32_t places) {
  const uint64_t rows = conv.pass.invocations /
                        (uint64_t{conv.image.out_height} * conv.image.out_width) *
                        conv.image.out_height;
  return rows * ((uint64_t{conv.image.out_width} + places - 1) / places);
}

uint32_t choose_whole_tile(const WholeConv& conv) {
  uint32_t best = 0;
  if (!shares_sums(conv.pass.words)) {
    while (best < kPlacesLogMax && tiles_of(conv, 2u << best) >= kFewInvocations) ++best;
    return best == 0 ? 0 : kSlicesLogMax + best;
  }
  for (uint32_t choice = 1; choice < kWholeChoices; ++choice) {
    const WholeTile tile = whole_tile(choice);
    if (predicted_ns(conv, tile) < predicted_ns(conv, whole_tile(best))) best = choice;
  }
  return best;
}

uint32_t store_of(const WholeConv& conv) {
  const Operand& y = conv.operands.y;
  const bool whole = conv.pass.outputs % 4 == 0 && are_words_of_four(y, kChannelAxis);
  return element_type(y) | (whole ? shaders::kRun : 0u);
}

shaders::ConvEndsWords ends_words(const Operand& ends) {
  return {.ends_skip = ends.skip, .ends_strides = shaders::first_of(ends.strides)};
}

shaders::WholeWords joined_conv_words(const WholeConv& conv) {
  const IntegerSumPass& pass = conv.pass;
  return {.depth = pass.depth,
          .x_step = pass.x_step,
          .w_step = pass.w_step,
          .x_zero = conv.attributes.x_zero_point,
          .w_zero = conv.attributes.w_zero_point,
          .above = pass.above,
          .x_skip = conv.operands.x.skip,
          .w_skip = conv.operands.w.skip,
          .bias_skip = 0u,
          .sum_skip = conv.operands.y.skip,
          .x_zero_skip = 0u,
          .w_zero_skip = 0u,
          .multiplier_skip = 0u,
          .multiplier_stride = 0u,
          .shift_skip = 0u,
          .shift_stride = 0u,
          .output = output_words(conv.attributes.output)};
}

bool suits_tile(const Step& step, const WholeConv& conv) {
  return whole_tile(step.record().choice).slices_log == 0 || shares_sums(conv.pass.words);
}

bool accepts_joined_conv(const Step& step, const WholeConv& conv) {
  return accepts_integer_sums(step) && is_uniform(step.bindings(), step.input_value(kEndsInput)) &&
         suits_tile(step, conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
