// Products of two inputs of 8 bits with vectors of any kind, which every
// 64-bit x86 and Arm has.
#include "portable_fallback/fast/integer_pairs_base_kernel.h"
#include "portable_fallback/shared/integer_neighbor_pairs.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
using Runs = NeighborPairRuns<multiply_pairs_base>;
#else
using Runs = NoNeighborPairRuns;
#endif

}  // namespace

constexpr Form kQuantizedMulForm40 =
    make_form(Op::kQuantizedMul, 40, with_run(neighbor_pair_facts(40), Runs::run));
ARENITE_FORM_CODE(QuantizedMul, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
