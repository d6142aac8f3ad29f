// Lookup of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_lookup_mve_kernel.h"
#include "portable_fallback/shared/integer_lookup.h"

namespace arenite {

constexpr Form kLookupForm9 = integer_lookup_form<look_up_mve>(9);
ARENITE_FORM_CODE(Lookup, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
