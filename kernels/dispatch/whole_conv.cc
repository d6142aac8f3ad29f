// A pointwise convolution becomes one of a single row; tiles are as large as leave a GPU busy.
#include "kernels/dispatch/whole_conv.h"

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

}  // namespace

ConvImage conv_image(const IntegerSumStep& operands) {
  return {operands.x.dims[2], operands.x.dims[3], operands.y.dims[2], operands.y.dims[3]};
}

shaders::ConvOwn conv_words(const IntegerSumStep& operands, const QuantizedConvAttributes& a,
                            const ConvImage& image, const shaders::ChannelWords& channels) {
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

bool crosses_rows_in_one_stride(const Operand& image) {
  return image.strides[2] == image.dims[3] * image.strides[3];
}

WholeConv whole_conv(const Step& step, Shader shader, bool one_row) {
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  const auto a = step.attributes<QuantizedConvAttributes>();
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  const bool same_x = operands.w.dims[1] != 1 || a.groups == 1;
  pass.words = words_of_whole(operands, pass, same_x, kChannelAxis, kChannelAxis);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  return {operands, a, pass, channels, one_row ? flat_image(operands, a) : conv_image(operands)};
}

uint64_t tiles_of(const WholeConv& conv, uint32_t places) {
  const uint64_t rows = conv.pass.invocations /
                        (uint64_t{conv.image.out_height} * conv.image.out_width) *
                        conv.image.out_height;
  return rows * ((uint64_t{conv.image.out_width} + places - 1) / places);
}

uint32_t choose_whole_tile(const WholeConv& conv) {
  for (uint32_t log = kPlacesLogMax; log != 0; --log) {
    if (tiles_of(conv, 1u << log) >= kFewInvocations) return kSlicesLogMax + log;
  }
  return choose_whole_slices(conv.pass,
                             uint64_t{conv.operands.w.dims[2]} * conv.operands.w.dims[3]);
}

bool suits_tile(const Step& step, const WholeConv& conv) {
  const WordUse words = conv.pass.words;
  return whole_tile(step.record().choice).slices_log == 0 || words == WordUse::kVectorsOfRuns ||
         words == WordUse::kWordsOfRuns;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
