// Lookup of 8-bit integers on CPUs that read no vectors from tables.
#include "portable_fallback/fast/integer_lookup_scalar_kernel.h"
#include "portable_fallback/shared/integer_lookup.h"

namespace arenite {

constexpr Form kLookupForm20 = integer_lookup_form<look_up_scalar>(20);
ARENITE_FORM_CODE(Lookup, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
