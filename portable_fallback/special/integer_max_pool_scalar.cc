// Max pool of 8-bit integers on CPUs that compare no vectors.
#include "portable_fallback/fast/integer_max_pool_scalar_kernel.h"
#include "portable_fallback/shared/integer_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm20 = integer_max_pool_form<max_pool_scalar>(20);
ARENITE_FORM_CODE(MaxPool, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
