// The contract of clip: bounds are attributes or single elements.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_clip(const Step& step) {
  ARENITE_TRY(check_map(step));
  ARENITE_TRY(check_single(step, 1));
  return check_single(step, 2);
}

}  // namespace

constexpr Contract kClipContract = {
    .op = Op::kClip,
    .max_inputs = 3,
    .attribute_words = words_of<ClipAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise},
    .types = kClipTypes,
    .check = check_clip,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
