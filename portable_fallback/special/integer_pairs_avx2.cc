// Products of two inputs of 8 bits with AVX2.
#include "portable_fallback/fast/integer_pairs_avx2_kernel.h"
#include "portable_fallback/shared/integer_neighbor_pairs.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
using Runs = NeighborPairRuns<multiply_pairs_avx2>;
#else
using Runs = NoNeighborPairRuns;
#endif

}  // namespace

constexpr Form kQuantizedMulForm41 =
    make_form(Op::kQuantizedMul, 41, with_run(neighbor_pair_facts(40), Runs::run));
ARENITE_FORM_CODE(QuantizedMul, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
