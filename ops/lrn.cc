// The contract of lrn: elements of a channel by those of the channels around it.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_lrn(const Step& step) {
  ARENITE_TRY(check_map(step));
  if (step.output(0).rank() < 2) return output_error(step, Code::kBadShape);
  ARENITE_TRY(check_dense_enough(step, 0));
  const uint32_t size = step.attributes<LrnAttributes>().size;
  return size >= 1 && size < kMaxPosition ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kLrnContract = {
    .op = Op::kLrn,
    .attribute_words = words_of<LrnAttributes>(),
    .types = kLrnTypes,
    .check = check_lrn,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
