// The contracts of family softmax: over one or more axes together.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_softmax(const Step& step) {
  ARENITE_TRY(check_map(step));
  const uint32_t axes = step.attributes<SoftmaxAttributes>().axes;
  return axes >> step.output(0).rank() == 0 ? ok_status() : error(Code::kBadAttribute);
}

constexpr Contract softmax(Op op, TypeSet types) {
  return {.op = op,
          .attribute_words = words_of<SoftmaxAttributes>(),
          .types = types,
          .check = check_softmax};
}

}  // namespace

#define ARENITE_OP_softmax(number, name, Type, set) \
  constexpr Contract k##Type##Contract = softmax(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
