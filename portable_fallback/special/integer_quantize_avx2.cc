// Floats to integers of 8 bits with AVX2.
#include "portable_fallback/fast/integer_quantize_avx2_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/neighbor_quantize.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr auto kRun = run_neighbor_quantize<quantize_avx2>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kQuantizeForm41 =
    make_form(Op::kQuantize, 41, with_run(neighbor_quantize_facts(40), kRun));
ARENITE_FORM_CODE(Quantize, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
