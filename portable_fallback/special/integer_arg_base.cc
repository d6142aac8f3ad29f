// ArgMax and ArgMin of bytes with the vectors that every 64-bit x86 and Arm has.
#include "portable_fallback/fast/integer_arg_base_kernel.h"
#include "portable_fallback/shared/integer_arg.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr Form arg_form(Op op) { return integer_arg_form<find_best_base>(op, 40); }
#else
// Another kind of CPU has no code for it.
constexpr Form arg_form(Op op) {
  return make_form(
      op, 40,
      {.parallel = true, .safe_distance = integer_arg_distance, .accepts = takes_integer_arg});
}
#endif

}  // namespace

constexpr Form kArgMaxForm40 = arg_form(Op::kArgMax);
ARENITE_FORM_CODE(ArgMax, 40)
constexpr Form kArgMinForm40 = arg_form(Op::kArgMin);
ARENITE_FORM_CODE(ArgMin, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
