// Cases of average_pool: every window, with and without the padding counted.
#include "tests/ops/cases.h"
#include "tests/ops/pool_cases.h"

namespace arenite::ops_test {

std::vector<OpCase> average_pool_cases() {
  std::vector<OpCase> cases;
  for (const PoolGeometry& geometry : pool_geometries()) {
    OpCase c = pool_case(geometry);
    c.tolerance = 1e-6;
    cases.push_back(c);
    auto a = attributes_of<PoolAttributes>(c);
    a.count_include_pad = 1;
    c.attributes = words(a);
    c.name += "_count_include_pad";
    cases.push_back(c);
  }
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
