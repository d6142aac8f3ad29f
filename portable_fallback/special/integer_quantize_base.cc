// Floats to integers of 8 bits with vectors of any kind, which every 64-bit x86 and Arm has.
#include "portable_fallback/fast/integer_quantize_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/neighbor_quantize.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr auto kRun = run_neighbor_quantize<quantize_base>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kQuantizeForm40 =
    make_form(Op::kQuantize, 40, with_run(neighbor_quantize_facts(40), kRun));
ARENITE_FORM_CODE(Quantize, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
