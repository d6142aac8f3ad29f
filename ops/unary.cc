// The contracts of family unary: elementwise functions of one input, with up to two parameters.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr Contract unary(Op op, TypeSet types) {
  return {.op = op,
          .attribute_words = words_of<UnaryAttributes>(),
          .layout = {.kind = LayoutClass::kElementwise},
          .types = types,
          .check = check_map};
}

}  // namespace

#define ARENITE_OP_unary(number, name, Type, set) \
  constexpr Contract k##Type##Contract = unary(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
