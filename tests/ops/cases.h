// The cases of every operator: <name>_cases of its own file or of its family's.
#pragma once

#include <string_view>
#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

#define ARENITE_KERNEL_OP(number, name, Type, shader) std::vector<OpCase> name##_cases();
#include "schema/ops.def"

// All of them, in the order of schema/ops.def.
const std::vector<OpCase>& all_cases();

// The operator's case of that name; std::logic_error where it has none.
OpCase case_named(Op op, std::string_view name);

// "conv", "max_pool", ...
const char* op_name(Op op);

// "unary", "own", ...: of schema/ops.def.
std::string_view family_of(Op op);

// A case and the variants that its row asks for.
using Variant = OpCase (*)(OpCase);
struct CaseRow {
  CaseRow(OpCase of, std::vector<Variant> wanted = {})
      : base(std::move(of)), variants(std::move(wanted)) {}
  OpCase base;
  std::vector<Variant> variants;
};
// Each row's case, and its variants behind it.
std::vector<OpCase> expanded(const std::vector<CaseRow>& rows);

// Variants of a case with weights as input 1 and a bias as input 2.
OpCase without_bias(OpCase c);
OpCase in_panels(OpCase c);
OpCase float16_weights(OpCase c);
OpCase bfloat16_weights(OpCase c);
OpCase panels_of_float16(OpCase c);
OpCase panels_of_bfloat16(OpCase c);

}  // namespace arenite::ops_test

// What cases are made of is compiled once, in case_vectors.cc: without optimization it is a third
// of the time that a file of cases takes, and there are 49.
#define ARENITE_CASE_VECTORS(words)                    \
  words class std::vector<uint32_t>;                   \
  words class std::vector<arenite::ops_test::Number>;  \
  words class std::vector<arenite::ops_test::Numbers>; \
  words class std::vector<arenite::ops_test::Operand>; \
  words class std::vector<arenite::ops_test::OpCase>;
ARENITE_CASE_VECTORS(extern template)
// SPDX-License-Identifier: Apache-2.0
