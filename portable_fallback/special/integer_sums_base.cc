// Sum and difference of numbers of 8 bits with vectors of any kind, which every 64-bit x86 and Arm
// has.
#include "portable_fallback/fast/integer_sums_base_kernel.h"
#include "portable_fallback/shared/integer_neighbor_sums.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
using Runs = NeighborSumRuns<add_sums_base, add_sums_once_base>;
#else
using Runs = NoNeighborSumRuns;
#endif

}  // namespace

constexpr Form kQuantizedAddForm40 =
    make_form(Op::kQuantizedAdd, 40, with_run(neighbor_sum_facts(40), Runs::run));
ARENITE_FORM_CODE(QuantizedAdd, 40)
constexpr Form kQuantizedAddForm42 =
    make_form(Op::kQuantizedAdd, 42, with_run(neighbor_sum_once_facts(42), Runs::run_once));
ARENITE_FORM_CODE(QuantizedAdd, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
