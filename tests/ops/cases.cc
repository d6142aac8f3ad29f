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

std::vector<OpCase> expanded(const std::vector<CaseRow>& rows) {
  std::vector<OpCase> cases;
  for (const CaseRow& row : rows) {
    cases.push_back(row.base);
    for (const Variant& variant : row.variants) cases.push_back(variant(row.base));
  }
  return cases;
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

OpCase float16_weights(OpCase c) {
  c.name += "_float16_weights";
  c.inputs[1].dtype = DType::kFloat16;
  return c;
}

OpCase bfloat16_weights(OpCase c) {
  c.name += "_bfloat16_weights";
  c.inputs[1].dtype = DType::kBfloat16;
  return c;
}

OpCase panels_of_float16(OpCase c) { return float16_weights(in_panels(std::move(c))); }
OpCase panels_of_bfloat16(OpCase c) { return bfloat16_weights(in_panels(std::move(c))); }

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
