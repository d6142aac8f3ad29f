// Depthwise convolution of 8-bit integers with Arm's DSP extension. Results are rounded as
// TensorFlow Lite rounds those of int8.
#include "portable_fallback/shared/dsp_depthwise.h"

namespace arenite {
namespace {

void depthwise_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
            add_depthwise_dsp);
}
void depthwise_phases(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_phases(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
             add_depthwise_dsp);
}

struct Kernel {
  static constexpr bool kInPhases = false;
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& find_outputs = find_small_outputs;
  static constexpr auto& items = depthwise_items;
};

struct KernelInPhases : Kernel {
  static constexpr bool kInPhases = true;
  static constexpr auto& items = depthwise_phases;
};

bool takes_depthwise(const Step& step) {
  return !rounds_once<QuantizedConvAttributes>(step) &&
         takes_depthwise_products(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

bool takes_phases(const Step& step) {
  return !rounds_once<QuantizedConvAttributes>(step) &&
         takes_depthwise_phases(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

}  // namespace

constexpr Form kQuantizedConvForm9 = DspDepthwiseForm<Kernel>::form(9, takes_depthwise);
ARENITE_FORM_CODE(QuantizedConv, 9)
constexpr Form kQuantizedConvForm26 = DspDepthwiseForm<KernelInPhases>::form(26, takes_phases);
ARENITE_FORM_CODE(QuantizedConv, 26)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
