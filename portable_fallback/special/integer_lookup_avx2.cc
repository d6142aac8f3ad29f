// Lookup of 8-bit integers with AVX2.
#include "portable_fallback/fast/integer_lookup_avx2_kernel.h"
#include "portable_fallback/shared/integer_lookup.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr decltype(Form::run) kRun = run_integer_lookup<look_up_avx2>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kLookupForm41 =
    make_form(Op::kLookup, 41, with_run(neighbor_lookup_facts(40), kRun));
ARENITE_FORM_CODE(Lookup, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
