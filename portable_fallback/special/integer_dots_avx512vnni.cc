// Convolution and matrix product of 8-bit integers with AVX-512 and its VNNI.
#include "portable_fallback/fast/integer_dots_avx512vnni_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dots.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr IntegerDots kKernel = {integer_dots_avx512vnni, nullptr, fold_dots_avx512vnni};

Status run_conv(const Step& step, const Platform& platform) {
  return run_dot_conv(step, platform, kKernel);
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_dot_matmul(step, platform, kKernel);
}
#else
constexpr decltype(Form::run) run_conv = nullptr, run_matmul = nullptr;
#endif

constexpr Form with(Form facts, decltype(Form::run) run) {
  facts.run = run;
  return facts;
}

}  // namespace

constexpr Form kQuantizedConvForm42 =
    make_form(Op::kQuantizedConv, 42, with(dot_conv_facts(40), run_conv));
ARENITE_FORM_CODE(QuantizedConv, 42)
constexpr Form kQuantizedMatMulForm42 =
    make_form(Op::kQuantizedMatMul, 42, with(dot_matmul_facts(40), run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
