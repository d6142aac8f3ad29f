// Depthwise convolution with Arm's DSP extension of results that are rounded once, as ONNX has
// them. Models of TensorFlow Lite do not link it.
#include "portable_fallback/fast/integer_depthwise_once_dsp_kernel.h"

#include "portable_fallback/shared/dsp_depthwise.h"

namespace arenite {
namespace {

void depthwise_once_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
            add_depthwise_once_dsp);
}
void depthwise_once_phases(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_phases(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
             add_depthwise_once_dsp);
}

struct OnceKernel {
  static constexpr bool kInPhases = false;
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& find_outputs = find_small_outputs;
  static constexpr auto& items = depthwise_once_items;
};

struct OnceKernelInPhases : OnceKernel {
  static constexpr bool kInPhases = true;
  static constexpr auto& items = depthwise_once_phases;
};

bool takes_depthwise(const Step& step) {
  return rounds_once(step.attributes<QuantizedConvAttributes>().output) &&
         takes_depthwise_products(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

bool takes_phases(const Step& step) {
  return rounds_once(step.attributes<QuantizedConvAttributes>().output) &&
         takes_depthwise_phases(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

}  // namespace

constexpr Form kQuantizedConvForm16 = DspDepthwiseForm<OnceKernel>::form(16, takes_depthwise);
ARENITE_FORM_CODE(QuantizedConv, 16)
constexpr Form kQuantizedConvForm27 = DspDepthwiseForm<OnceKernelInPhases>::form(27, takes_phases);
ARENITE_FORM_CODE(QuantizedConv, 27)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
