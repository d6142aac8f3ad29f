// Facts and code of the forms that compute convolutions of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_conv(const Step& step);
// Whether each group has one channel and one column.
inline bool is_depthwise(const Tensor& w, uint32_t groups) {
  return w.dims[1] == 1 && w.dims[0] == groups && groups != 1;
}
// The neighboring columns that read each channel, where a group has one channel; else 0.
inline uint32_t columns_of_channel(const Tensor& w, uint32_t groups) {
  return w.dims[1] == 1 && groups != 1 ? w.dims[0] / groups : 0;
}
// Elements between the weights of neighboring products of a column.
size_t product_stride(const Tensor& w);
// Whether a kernel reads the weights and strides of groups of one channel, or of others.
bool takes_filters(const Tensor& x, const Tensor& w, const OutTensor& y, uint32_t groups);
// The kernel's function of whole lines and all groups, which groups of one channel take where these
// fill a vector or have one column each, and groups of which a vector has several; null: tiles take
// one group after another. `adds`: to a residual, or in parts.
decltype(FloatKernel::add) add_of_lines(const FloatKernel& kernel, const Step& step,
                                        uint32_t groups, bool adds);
// The products of one group.
FloatProducts float_conv_products(const Step& step);
ScratchNeed float_conv_scratch(const Step& step);
Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel);

constexpr Form float_conv_facts(uint8_t plainest) {
  return float_facts(plainest, float_conv_scratch, takes_float_conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
