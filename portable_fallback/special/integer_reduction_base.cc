// Sums and means of 8-bit integers along axes with vectors of any kind, which every 64-bit x86 and
// Arm has.
#include "portable_fallback/fast/integer_pool_base_kernel.h"
#include "portable_fallback/shared/integer_reduction.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr auto kRun = run_integer_reduction<sum_taps_base, kPoolChannels>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kQuantizedSumForm41 =
    make_form(Op::kQuantizedSum, 41,
              {.parallel = true, .safe_distance = integer_reduction_distance, .run = kRun});
ARENITE_FORM_CODE(QuantizedSum, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
