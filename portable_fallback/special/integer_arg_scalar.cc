// ArgMax and ArgMin of 8-bit integers on CPUs that compare no vectors.
#include "portable_fallback/fast/integer_arg_scalar_kernel.h"
#include "portable_fallback/shared/integer_arg.h"

namespace arenite {

constexpr Form kArgMaxForm20 = integer_arg_form<find_best_scalar>(Op::kArgMax, 20);
ARENITE_FORM_CODE(ArgMax, 20)
constexpr Form kArgMinForm20 = integer_arg_form<find_best_scalar>(Op::kArgMin, 20);
ARENITE_FORM_CODE(ArgMin, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
