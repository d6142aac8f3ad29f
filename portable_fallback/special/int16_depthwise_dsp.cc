// Depthwise convolution of 16-bit activations and 8-bit weights with Arm's DSP extension.
#include "portable_fallback/fast/int16_depthwise_dsp_kernel.h"

#include "portable_fallback/shared/int16_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr uint32_t kChannels = kInt16DspChannels;
  static constexpr auto& compute = add_int16_depthwise_dsp;
};

}  // namespace

constexpr Form kQuantizedConvForm33 = Int16DepthwiseForm<Kernel>::form(33);
ARENITE_FORM_CODE(QuantizedConv, 33)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
