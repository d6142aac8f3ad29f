// The contract of det: the determinants of square matrices.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_det(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() < 2 || x.rank() != y.rank() + 2) return input_error(step, Code::kBadShape, 0);
  const uint32_t n = x.dims[x.rank() - 1];
  if (n != x.dims[x.rank() - 2] || n > kMaxDetSize) return input_error(step, Code::kBadShape, 0);
  for (uint32_t d = 0; d < y.rank(); ++d) {
    if (x.dims[d] != y.dims[d]) return output_error(step, Code::kBadShape);
  }
  return ok_status();
}

}  // namespace

constexpr Contract kDetContract = {
    .op = Op::kDet,
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kDetTypes,
    .check = check_det,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
