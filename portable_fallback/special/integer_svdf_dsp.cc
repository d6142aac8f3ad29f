// Layer of low rank of integers with Arm's DSP extension.
#include "portable_fallback/fast/integer_svdf_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_svdf.h"

namespace arenite {
namespace {

Status run(const Step& step, const Platform& platform) {
  return run_integer_svdf(step, platform, compute_svdf_dsp);
}

}  // namespace

constexpr Form kSvdfForm8 =
    make_form(Op::kSvdf, 8,
              {.parallel = true,
               .scratch = integer_svdf_scratch,
               .safe_distance = [](const Step&, uint32_t) -> uint64_t { return kNoOverlap; },
               .accepts = takes_integer_svdf,
               .run = run});
ARENITE_FORM_CODE(Svdf, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
