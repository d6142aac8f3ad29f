// Sum and difference of numbers of 8 bits with AVX2.
#include "portable_fallback/fast/integer_sums_avx2_kernel.h"
#include "portable_fallback/shared/integer_neighbor_sums.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
using Runs = NeighborSumRuns<add_sums_avx2, add_sums_once_avx2>;
#else
using Runs = NoNeighborSumRuns;
#endif

}  // namespace

constexpr Form kQuantizedAddForm41 =
    make_form(Op::kQuantizedAdd, 41, with_run(neighbor_sum_facts(40), Runs::run));
ARENITE_FORM_CODE(QuantizedAdd, 41)
constexpr Form kQuantizedAddForm43 =
    make_form(Op::kQuantizedAdd, 43, with_run(neighbor_sum_once_facts(42), Runs::run_once));
ARENITE_FORM_CODE(QuantizedAdd, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
