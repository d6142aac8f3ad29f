// Cases of max_pool: every window, the indices in both orders, bytes, NaN.
#include "tests/ops/cases.h"
#include "tests/ops/pool_cases.h"

namespace arenite::ops_test {
namespace {

OpCase with_indices(OpCase c, bool column_major) {
  c.name += column_major ? "_indices_column_major" : "_indices";
  auto a = attributes_of<PoolAttributes>(c);
  a.column_major = column_major ? 1 : 0;
  c.attributes = words(a);
  c.outputs.push_back(c.outputs[0]);
  c.outputs[1].dtype = DType::kInt64;
  return c;
}

OpCase of_type(OpCase c, DType type, const char* suffix, double low, double high) {
  c.name += suffix;
  c.inputs[0] = ranged(c.inputs[0], low, high);
  for (Operand* operand : {&c.inputs[0], &c.outputs[0]}) operand->dtype = type;
  return c;
}

}  // namespace

std::vector<OpCase> max_pool_cases() {
  std::vector<OpCase> cases;
  for (const PoolGeometry& geometry : pool_geometries()) {
    const OpCase c = pool_case(geometry);
    cases.push_back(c);
    cases.push_back(with_indices(c, false));
    cases.push_back(with_indices(c, true));
    cases.push_back(of_type(c, DType::kUint8, "_uint8", 0, 255));
    // Few different numbers: ties, of which the first counts.
    cases.push_back(with_indices(of_type(c, DType::kInt8, "_int8", -3, 2), false));
  }
  OpCase special = with_indices(pool_case(pool_geometries()[1]), false);
  special.name = "nan_and_infinity";
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  cases.push_back(special);
  OpCase lowest = pool_case(pool_geometries()[1]);
  lowest.name = "all_minus_infinity";
  lowest.inputs[0] = ranged(lowest.inputs[0], -__builtin_inf(), -__builtin_inf());
  lowest.inputs[0].values.assign(count_of(lowest.inputs[0].dims), -__builtin_infl());
  cases.push_back(with_indices(lowest, false));
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
