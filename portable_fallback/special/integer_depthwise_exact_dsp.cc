// Depthwise convolution with Arm's DSP extension of results that are rounded once, halves to even
// or up, as ONNX has them. Models of TensorFlow Lite do not link it.
#include "portable_fallback/fast/integer_depthwise_exact_dsp_kernel.h"

#include "portable_fallback/shared/dsp_depthwise.h"

namespace arenite {
namespace {

void depthwise_exact_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_lines(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
            add_depthwise_exact_dsp);
}
void depthwise_exact_phases(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_phases(*static_cast<const DepthwiseWork<DspDepthwise>*>(argument), first, last, thread,
             add_depthwise_exact_dsp);
}

struct ExactKernel {
  static constexpr bool kInPhases = false;
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& find_outputs = find_exact_outputs;
  static constexpr auto& items = depthwise_exact_items;
};

struct ExactKernelInPhases : ExactKernel {
  static constexpr bool kInPhases = true;
  static constexpr auto& items = depthwise_exact_phases;
};

bool takes_depthwise(const Step& step) {
  const Requantization output = step.attributes<QuantizedConvAttributes>().output;
  return rounds_once(output) && output.rounding != Rounding::kFloat32 &&
         takes_depthwise_products(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

bool takes_phases(const Step& step) {
  const Requantization output = step.attributes<QuantizedConvAttributes>().output;
  return rounds_once(output) && output.rounding != Rounding::kFloat32 &&
         takes_depthwise_phases(step, kDspSideMax, kDspSideMax, ColumnsOfChannel::kAny);
}

}  // namespace

constexpr Form kQuantizedConvForm23 = DspDepthwiseForm<ExactKernel>::form(23, takes_depthwise);
ARENITE_FORM_CODE(QuantizedConv, 23)
constexpr Form kQuantizedConvForm28 = DspDepthwiseForm<ExactKernelInPhases>::form(28, takes_phases);
ARENITE_FORM_CODE(QuantizedConv, 28)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
