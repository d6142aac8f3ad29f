// Depthwise convolution of 8-bit integers with AVX-512 and its VNNI.
#include "portable_fallback/fast/integer_depthwise_avx512vnni_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_dots.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr DepthwiseDots kKernel = {integer_depthwise_avx512vnni, pack_depthwise_avx512vnni};
using Runs = DepthwiseDotRuns<kKernel>;
#else
using Runs = NoDepthwiseDotRuns;
#endif

}  // namespace

constexpr Form kQuantizedConvForm45 =
    make_form(Op::kQuantizedConv, 45, with_run(dot_depthwise_facts(43), Runs::run_depthwise));
ARENITE_FORM_CODE(QuantizedConv, 45)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
