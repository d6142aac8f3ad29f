// Layer of low rank of integers with Arm's MVE.
#include "portable_fallback/fast/integer_svdf_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_svdf.h"

namespace arenite {
namespace {

Status run(const Step& step, const Platform& platform) {
  return run_integer_svdf(step, platform, compute_svdf_mve);
}

}  // namespace

constexpr Form kSvdfForm9 =
    make_form(Op::kSvdf, 9,
              {.parallel = true,
               .scratch = integer_svdf_scratch,
               .safe_distance = [](const Step&, uint32_t) -> uint64_t { return kNoOverlap; },
               .accepts = takes_integer_svdf,
               .run = run});
ARENITE_FORM_CODE(Svdf, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
