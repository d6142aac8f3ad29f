// Quantized convolutions in one dispatch: what an invocation computes, and the words that say so.
#pragma once

#include "kernels/dispatch/integer_whole.h"
#include "kernels/shaders/shared/conv_ends.h"
#include "kernels/shaders/shared/conv_words.h"

namespace arenite {

inline constexpr uint32_t kChannelAxis = 1;

// The heights and widths that an invocation finds its place in.
struct ConvImage {
  uint32_t height, width, out_height, out_width;
};
ConvImage conv_image(const IntegerSumStep& operands);

// Its columns: how many a window has, and what lies between them.
struct ConvColumns {
  uint32_t kernel, stride, pad, x_stride, w_stride;
};
ConvColumns conv_columns(const IntegerSumStep& operands, const QuantizedConvAttributes& a);

shaders::ConvOwn conv_words(const IntegerSumStep& operands, const QuantizedConvAttributes& a,
                            const ConvImage& image, const ConvColumns& columns,
                            const shaders::ChannelWords& channels);

// A convolution in one dispatch: `pass.invocations` are tiles of one place. Of words of rows it is
// one of one channel.
struct WholeConv {
  IntegerSumStep operands;
  QuantizedConvAttributes attributes;
  IntegerSumPass pass;
  shaders::ChannelWords channels;
  ConvImage image;
  ConvColumns columns;
};

shaders::ConvOwn conv_words(const WholeConv& conv);

// `one_row`: what comes to the results lets the image of a pointwise convolution be one row.
WholeConv whole_conv(const Step& step, Shader shader, bool one_row = true);
// Tiles of so many places of a row.
uint64_t tiles_of(const WholeConv& conv, uint32_t places);
// The choice that suits a convolution.
uint32_t choose_whole_tile(const WholeConv& conv);
// The dispatch of a joined convolution, whose ends are one operand, has these words; store_of()
// tells how it stores results of bytes.
shaders::WholeWords joined_conv_words(const WholeConv& conv);
shaders::ConvEndsWords ends_words(const Operand& ends);
uint32_t store_of(const WholeConv& conv);
bool accepts_joined_conv(const Step& step, const WholeConv& conv);
// Whether the tile of the step's choice suits how elements are read.
bool suits_tile(const Step& step, const WholeConv& conv);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
