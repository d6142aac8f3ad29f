// y = max(0, min(1, alpha * x + beta)).
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_hard_sigmoid(const Step& step) {
  ARENITE_TRY(check_attributes<HardSigmoidAttributes>(step));
  ARENITE_TRY(check_unary(step, 1));
  return check_all_types(step, DType::kFloat32);
}

Status run_hard_sigmoid(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<HardSigmoidAttributes>();
  return run_unary(step, platform,
                   {ActivationKind::kHardSigmoid, attributes.alpha, attributes.beta});
}

}  // namespace

constexpr Kernel kHardSigmoidKernel = {
    .op = Op::kHardSigmoid,
    .check = check_hard_sigmoid,
    .run = run_hard_sigmoid,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = unary_lead,
    .in_place = InPlace::kAnywhere,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
