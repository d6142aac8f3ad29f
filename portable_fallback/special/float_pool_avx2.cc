// Pools of floats with AVX2.
#include "portable_fallback/fast/float_pool_avx2_kernel.h"

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_pool.h"
#include "portable_fallback/shared/float_sums.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr auto kRunMax = run_float_pool<float_max_pool_avx2>;
constexpr auto kRunAverage = run_float_pool<float_average_pool_avx2>;
constexpr auto kRunMean = run_float_sums<float_average_pool_avx2, float_average_rows_avx2, true>;
constexpr auto kRunGreatest = run_float_sums<float_max_pool_avx2, float_max_rows_avx2, false>;
constexpr auto kRunSum = run_float_sums<float_average_pool_avx2, float_average_rows_avx2, false>;
#else
constexpr decltype(Form::run) kRunMax = nullptr, kRunAverage = nullptr, kRunMean = nullptr,
                              kRunSum = nullptr, kRunGreatest = nullptr;
#endif

}  // namespace

constexpr Form kMaxPoolForm41 =
    make_form(Op::kMaxPool, 41, with_run(float_pool_facts(40), kRunMax));
ARENITE_FORM_CODE(MaxPool, 41)
constexpr Form kAveragePoolForm41 =
    make_form(Op::kAveragePool, 41, with_run(float_pool_facts(40), kRunAverage));
ARENITE_FORM_CODE(AveragePool, 41)
constexpr Form kReduceMeanForm41 =
    make_form(Op::kReduceMean, 41, with_run(float_sums_facts(40), kRunMean));
ARENITE_FORM_CODE(ReduceMean, 41)
constexpr Form kReduceSumForm41 =
    make_form(Op::kReduceSum, 41, with_run(float_sums_facts(40), kRunSum));
ARENITE_FORM_CODE(ReduceSum, 41)
constexpr Form kReduceMaxForm41 =
    make_form(Op::kReduceMax, 41, with_run(float_sums_facts(40), kRunGreatest));
ARENITE_FORM_CODE(ReduceMax, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
