// The contract of softmax: over one or more axes together.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_softmax(const Step& step) {
  ARENITE_TRY(check_map(step));
  const uint32_t axes = step.attributes<SoftmaxAttributes>().axes;
  return axes >> step.output(0).rank() == 0 ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kSoftmaxContract = {
    .op = Op::kSoftmax,
    .attribute_words = words_of<SoftmaxAttributes>(),
    .types = kSoftmaxTypes,
    .check = check_softmax,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
