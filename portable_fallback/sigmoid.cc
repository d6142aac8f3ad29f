// y = 1 / (1 + e^-x).
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_sigmoid(const Step& step) {
  ARENITE_TRY(check_unary(step, 1));
  return check_all_types(step, DType::kFloat32);
}

Status run_sigmoid(const Step& step, const Platform& platform) {
  return run_unary(step, platform, {ActivationKind::kSigmoid, 0.0f, 0.0f});
}

}  // namespace

constexpr Kernel kSigmoidKernel = {
    .op = Op::kSigmoid,
    .check = check_sigmoid,
    .run = run_sigmoid,
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
