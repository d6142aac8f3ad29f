// The contracts of family view: other dims and strides over the bytes of the input.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_reshape(const Step& step) {
  const bool same = element_count(step.input(0)) == element_count(step.output(0));
  return same ? ok_status() : output_error(step, Code::kBadShape);
}

Status check_transpose(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != y.rank()) return output_error(step, Code::kBadShape);
  const auto attributes = step.attributes<TransposeAttributes>();
  uint32_t seen = 0;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    const uint32_t from = attributes.order[d];
    if (from >= x.rank() || (seen >> from & 1u) != 0) return error(Code::kBadAttribute);
    seen |= 1u << from;
    if (y.dims[d] != x.dims[from]) return output_error(step, Code::kBadShape);
  }
  return ok_status();
}

}  // namespace

constexpr Contract kReshapeContract = {
    .op = Op::kReshape,
    .layout = {.kind = LayoutClass::kView},
    .types = kReshapeTypes,
    .check = check_reshape,
};

constexpr Contract kTransposeContract = {
    .op = Op::kTranspose,
    .attribute_words = words_of<TransposeAttributes>(),
    .layout = {.kind = LayoutClass::kView},
    .types = kTransposeTypes,
    .check = check_transpose,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
