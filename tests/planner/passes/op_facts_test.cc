// The planner's facts of operators fit their contracts.
#include "planner/graph/op_facts.h"

#include <gtest/gtest.h>

#include "ops/contracts.h"
#include "planner/graph/names.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {
namespace {

TEST(OpFacts, WhatMayBeAViewSaysHow){
#define ARENITE_OP(number, name, Type, family, set)                                     \
  {                                                                                     \
    const LayoutClass kind = contract_of(Op::k##Type).layout.kind;                      \
    const bool may = kind == LayoutClass::kView || kind == LayoutClass::kViewOrFollows; \
    EXPECT_EQ(facts_of(Op::k##Type).view != nullptr, may) << #name;                     \
  }
#include "schema/ops.def"
}

TEST(OpFacts, ActivationsAreElementwise) {
#define ARENITE_OP(number, name, Type, family, set)                                      \
  if (facts_of(Op::k##Type).activation != nullptr) {                                     \
    EXPECT_EQ(contract_of(Op::k##Type).layout.kind, LayoutClass::kElementwise) << #name; \
  }
#include "schema/ops.def"
}

TEST(OpFacts, PackedWeightsBelongToFormsThatReadPanels) {
  // Integers are packed in order, never in panels.
#define ARENITE_OP(number, name, Type, family, set)                                        \
  EXPECT_EQ(facts_of(Op::k##Type).weights != nullptr && !facts_of(Op::k##Type).is_integer, \
            contract_of(Op::k##Type).packings.take(Layout::kPanel16))                      \
      << #name;
#include "schema/ops.def"
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
