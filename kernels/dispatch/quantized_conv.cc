// Quantized convolutions in one dispatch, or in two where they need more than that has: of any
// integers, and of bytes with four products an instruction.
#include "kernels/shaders/quantized_conv.h"

#include "kernels/dispatch/integer_whole.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/quantized_conv_dot.h"
#include "kernels/shaders/quantized_conv_whole.h"
#include "kernels/shaders/quantized_conv_whole_dot.h"
#include "kernels/shaders/shared/conv_words.h"

namespace arenite {
namespace {

static_assert(kTakesSums<shaders::QuantizedConv> && kTakesSums<shaders::QuantizedConvDot>);
static_assert(kTakesWhole<shaders::QuantizedConvWhole> &&
              kTakesWhole<shaders::QuantizedConvWholeDot>);

constexpr uint32_t kChannelAxis = 1;

QuantizedProduct product_of(const QuantizedConvAttributes& a) {
  return {a.x_zero_point, a.w_zero_point, a.outside, a.output};
}

// The heights and widths that an invocation finds its place in.
struct Image {
  uint32_t height, width, out_height, out_width;
};

Image image_of(const IntegerSumStep& operands) {
  return {operands.x.dims[2], operands.x.dims[3], operands.y.dims[2], operands.y.dims[3]};
}

shaders::ConvOwn own_words(const IntegerSumStep& operands, const QuantizedConvAttributes& a,
                           const Image& image, const shaders::ChannelWords& channels) {
  return {.channels = channels,
          .height = image.height,
          .width = image.width,
          .out_height = image.out_height,
          .out_width = image.out_width,
          .kernel = shaders::first_of(operands.w.dims + 2),
          .stride = a.stride,
          .dilation = a.dilation,
          .pad = shaders::first_of(a.pad_begin),
          .x_strides = shaders::first_of(operands.x.strides + 2),
          .w_strides = shaders::first_of(operands.w.strides + 2),
          .sum_strides = shaders::first_of(operands.sums.strides + 2)};
}

Status emit_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  return emit_integer_sums(step, operands, pass,
                           own_words(operands, a, image_of(operands), channels), product_of(a),
                           sink);
}

uint32_t choose_quantized_conv(const Step& step, const Capabilities&) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  const IntegerSumPass pass = channel_sums(operands, a.groups, Shader::kQuantizedConv).pass;
  return choose_sum_slices(operands, pass, uint64_t{operands.w.dims[2]} * operands.w.dims[3]);
}

// A convolution in one dispatch: `pass.invocations` are tiles of one place.
struct WholeConv {
  IntegerSumStep operands;
  QuantizedConvAttributes attributes;
  IntegerSumPass pass;
  shaders::ChannelWords channels;
  Image image;
};

bool crosses_rows_in_one_stride(const Operand& image) {
  return image.strides[2] == image.dims[3] * image.strides[3];
}

// A pointwise convolution is the same for any shape of the image: one long row wastes least.
Image flat_image(const IntegerSumStep& operands, const QuantizedConvAttributes& a) {
  const Image image = image_of(operands);
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

WholeConv whole_conv(const Step& step, Shader shader) {
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  const auto a = step.attributes<QuantizedConvAttributes>();
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  const bool same_x = operands.w.dims[1] != 1 || a.groups == 1;
  pass.words = words_of_whole(operands, pass, same_x, kChannelAxis, kChannelAxis);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  return {operands, a, pass, channels, flat_image(operands, a)};
}

// Tiles of so many places of a row.
uint64_t tiles_of(const WholeConv& conv, uint32_t places) {
  const uint64_t rows = conv.pass.invocations /
                        (uint64_t{conv.image.out_height} * conv.image.out_width) *
                        conv.image.out_height;
  return rows * ((uint64_t{conv.image.out_width} + places - 1) / places);
}

uint32_t choose_whole_conv(const Step& step, const Capabilities&) {
  const WholeConv conv = whole_conv(step, Shader::kQuantizedConvWhole);
  for (uint32_t log = kPlacesLogMax; log != 0; --log) {
    if (tiles_of(conv, 1u << log) >= kFewInvocations) return kSlicesLogMax + log;
  }
  return choose_whole_slices(conv.pass,
                             uint64_t{conv.operands.w.dims[2]} * conv.operands.w.dims[3]);
}

// Whether the tile of the step's choice suits how elements are read.
bool accepts_whole_conv(const Step& step) {
  if (!accepts_whole(step, kChannelAxis)) return false;
  if (whole_tile(step.record().choice).slices_log == 0) return true;
  const WordUse words = whole_conv(step, Shader::kQuantizedConvWhole).pass.words;
  return words == WordUse::kVectorsOfRuns || words == WordUse::kWordsOfRuns;
}

Status emit_whole_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  WholeConv conv = whole_conv(step, shader);
  conv.pass.invocations = tiles_of(conv, 1u << whole_tile(step.record().choice).places_log);
  return emit_whole(step, conv.operands, conv.pass, kChannelAxis,
                    own_words(conv.operands, conv.attributes, conv.image, conv.channels),
                    product_of(conv.attributes), sink);
}

Status emit_whole_conv(const Step& step, const DispatchSink& sink) {
  return emit_whole_conv_of(step, Shader::kQuantizedConvWhole, sink);
}

Status emit_whole_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_whole_conv_of(step, Shader::kQuantizedConvWholeDot, sink);
}

bool accepts_quantized_conv(const Step& step) { return accepts_integer_sums(step); }

Status emit_quantized_conv(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConv, sink);
}

bool accepts_quantized_conv_dot(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  return accepts_integer_sums(step) && w.dims[1] % 4 == 0 && are_words_of_four(x, 1) &&
         are_words_of_four(w, 1);
}

bool accepts_whole_conv_dot(const Step& step) {
  return accepts_quantized_conv_dot(step) && accepts_whole_conv(step);
}

Status emit_quantized_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConvDot, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 3,
     .shader = Shader::kQuantizedConvWholeDot,
     .types = types::kByte,
     .accepts = accepts_whole_conv_dot,
     .emit = emit_whole_conv_dot,
     .choices = kWholeChoices,
     .choose = choose_whole_conv},
    {.form = 2,
     .shader = Shader::kQuantizedConvWhole,
     .types = types::kAny,
     .accepts = accepts_whole_conv,
     .emit = emit_whole_conv,
     .choices = kWholeChoices,
     .choose = choose_whole_conv},
    {.form = 1,
     .shader = Shader::kQuantizedConvDot,
     .types = types::kByte,
     .accepts = accepts_quantized_conv_dot,
     .emit = emit_quantized_conv_dot,
     .choices = kSumChoices,
     .choose = choose_quantized_conv,
     .scratch_bytes = scratch_bytes_of_integer_sums},
    {.form = 0,
     .shader = Shader::kQuantizedConv,
     .types = types::kAny,
     .accepts = accepts_quantized_conv,
     .emit = emit_quantized_conv,
     .choices = kSumChoices,
     .choose = choose_quantized_conv,
     .scratch_bytes = scratch_bytes_of_integer_sums},
};

}  // namespace

std::span<const DispatchRow> quantized_conv_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
