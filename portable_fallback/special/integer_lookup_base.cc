// Lookup of 8-bit integers on hosts without vectors that read tables.
#include "portable_fallback/fast/integer_lookup_scalar_kernel.h"
#include "portable_fallback/shared/integer_lookup.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr decltype(Form::run) kRun = run_integer_lookup<look_up_scalar>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kLookupForm40 =
    make_form(Op::kLookup, 40, with_run(neighbor_lookup_facts(40), kRun));
ARENITE_FORM_CODE(Lookup, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
