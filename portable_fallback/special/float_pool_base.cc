// Pools of floats with vectors of four floats, which every 64-bit x86
// and Arm has.
#include "portable_fallback/fast/float_pool_base_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_pool.h"
#include "portable_fallback/shared/float_sums.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr auto kRunMax = run_float_pool<float_max_pool_base>;
constexpr auto kRunAverage = run_float_pool<float_average_pool_base>;
constexpr auto kRunMean = run_float_sums<float_average_pool_base, float_average_rows_base, true>;
constexpr auto kRunGreatest = run_float_sums<float_max_pool_base, float_max_rows_base, false>;
constexpr auto kRunSum = run_float_sums<float_average_pool_base, float_average_rows_base, false>;
#else
constexpr decltype(Form::run) kRunMax = nullptr, kRunAverage = nullptr, kRunMean = nullptr,
                              kRunSum = nullptr, kRunGreatest = nullptr;
#endif

}  // namespace

constexpr Form kMaxPoolForm40 =
    make_form(Op::kMaxPool, 40, with_run(float_pool_facts(40), kRunMax));
ARENITE_FORM_CODE(MaxPool, 40)
constexpr Form kAveragePoolForm40 =
    make_form(Op::kAveragePool, 40, with_run(float_pool_facts(40), kRunAverage));
ARENITE_FORM_CODE(AveragePool, 40)
constexpr Form kReduceMeanForm40 =
    make_form(Op::kReduceMean, 40, with_run(float_sums_facts(40), kRunMean));
ARENITE_FORM_CODE(ReduceMean, 40)
constexpr Form kReduceSumForm40 =
    make_form(Op::kReduceSum, 40, with_run(float_sums_facts(40), kRunSum));
ARENITE_FORM_CODE(ReduceSum, 40)
constexpr Form kReduceMaxForm40 =
    make_form(Op::kReduceMax, 40, with_run(float_sums_facts(40), kRunGreatest));
ARENITE_FORM_CODE(ReduceMax, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
