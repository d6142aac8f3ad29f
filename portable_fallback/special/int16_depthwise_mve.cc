// Depthwise convolution of 16-bit activations and 8-bit weights with Arm's MVE.
#include "portable_fallback/fast/int16_depthwise_mve_kernel.h"

#include "portable_fallback/shared/int16_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr uint32_t kChannels = kInt16MveChannels;
  static constexpr auto& compute = add_int16_depthwise_mve;
};

}  // namespace

constexpr Form kQuantizedConvForm32 = Int16DepthwiseForm<Kernel>::form(32);
ARENITE_FORM_CODE(QuantizedConv, 32)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
