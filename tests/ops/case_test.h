// Tests of which each is given one case.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/ops/cases.h"

namespace arenite::ops_test {

// The parameter is the address of a case: a process that runs few of them need not copy them all.
class CaseTest : public testing::TestWithParam<const OpCase*> {
 protected:
  static const OpCase& the_case() { return *GetParam(); }
};

inline auto every_case() {
  std::vector<const OpCase*> cases;
  for (const OpCase& c : all_cases()) cases.push_back(&c);
  return testing::ValuesIn(cases);
}

// "conv__square3": two underscores, so that conv's are not taken for conv_3d's.
inline std::string case_name(const testing::TestParamInfo<const OpCase*>& info) {
  return std::string(op_name(info.param->op)) + "__" + info.param->name;
}

inline void PrintTo(const OpCase* c, std::ostream* out) {
  *out << op_name(c->op) << ' ' << c->name;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
