// Collects the cases of all operators.
#include "tests/ops/cases.h"

namespace arenite::ops_test {

std::vector<OpCase> all_cases() {
  std::vector<OpCase> all;
  const auto append = [&](Op op, std::vector<OpCase> cases) {
    for (OpCase& c : cases) {
      c.op = op;
      all.push_back(std::move(c));
    }
  };
#define ARENITE_KERNEL_OP(number, name, Type, shader) append(Op::k##Type, name##_cases());
#include "schema/ops.def"
  return all;
}

const char* op_name(Op op) {
  switch (op) {
#define ARENITE_KERNEL_OP(number, name, Type, shader) \
  case Op::k##Type:                                   \
    return #name;
#define ARENITE_VIEW_OP(number, name, Type) \
  case Op::k##Type:                         \
    return #name;
#include "schema/ops.def"
  }
  return "unknown";
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
