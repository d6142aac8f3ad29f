// Convolution and matrix product of 8-bit integers with vectors of any kind, which every 64-bit x86
// and Arm has.
#include "portable_fallback/fast/integer_dots_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dots.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr IntegerDots kKernel = {integer_dots_base, integer_depthwise_base, nullptr};

Status run_conv(const Step& step, const Platform& platform) {
  return run_dot_conv(step, platform, kKernel);
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_dot_matmul(step, platform, kKernel);
}

Status run_depthwise(const Step& step, const Platform& platform) {
  return run_dot_depthwise(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_conv = nullptr, run_matmul = nullptr, run_depthwise = nullptr;
#endif

constexpr Form with(Form facts, decltype(Form::run) run) {
  facts.run = run;
  return facts;
}

}  // namespace

constexpr Form kQuantizedConvForm40 =
    make_form(Op::kQuantizedConv, 40, with(dot_conv_facts(40), run_conv));
ARENITE_FORM_CODE(QuantizedConv, 40)
constexpr Form kQuantizedMatMulForm40 =
    make_form(Op::kQuantizedMatMul, 40, with(dot_matmul_facts(40), run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 40)
constexpr Form kQuantizedConvForm43 =
    make_form(Op::kQuantizedConv, 43, with(dot_depthwise_facts(43), run_depthwise));
ARENITE_FORM_CODE(QuantizedConv, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
