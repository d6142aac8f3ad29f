// Collects the cases of all operators.
#include "tests/ops/cases.h"

#include <stdexcept>
#include <string>

namespace arenite::ops_test {
namespace {

std::vector<OpCase> collected() {
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

}  // namespace

const std::vector<OpCase>& all_cases() {
  static const std::vector<OpCase> cases = collected();
  return cases;
}

OpCase case_named(Op op, std::string_view name) {
  for (const OpCase& c : all_cases()) {
    if (c.op == op && c.name == name) return c;
  }
  throw std::logic_error(std::string(op_name(op)) + " has no case " + std::string(name));
}

const char* op_name(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #name;
#include "schema/ops.def"
  }
  return "unknown";
}

std::string_view family_of(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #family;
#include "schema/ops.def"
  }
  return "unknown";
}

OpCase without_bias(OpCase c) {
  c.name += "_no_bias";
  c.inputs.pop_back();
  return c;
}

OpCase in_panels(OpCase c) {
  c.name += "_panels";
  c.inputs[1].order.clear();
  c.inputs[1].layout = Layout::kPanel16;
  return c;
}

OpCase with_weights(DType type, OpCase c) {
  c.name += type == DType::kFloat16 ? "_float16_weights" : "_bfloat16_weights";
  c.inputs[1].dtype = type;
  return c;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
