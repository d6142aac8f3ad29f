// The contract of top_k: the first elements along an axis, in order, and where they were.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_top_k(const Step& step) {
  if (step.output_count() != 2) return error(Code::kBadOperandCount);
  const Tensor x = step.input(0);
  const auto attributes = step.attributes<TopKAttributes>();
  if (attributes.axis >= x.rank() || attributes.smallest > 1) return error(Code::kBadAttribute);
  for (uint32_t i = 0; i < 2; ++i) {
    const OutTensor y = step.output(i);
    bool fits = y.rank() == x.rank();
    for (uint32_t d = 0; fits && d < x.rank(); ++d) {
      fits = d == attributes.axis ? y.dims[d] <= x.dims[d] && y.dims[d] == step.output(0).dims[d]
                                  : y.dims[d] == x.dims[d];
    }
    if (!fits) return output_error(step, Code::kBadShape, i);
  }
  // The elements that are read bound the work.
  return check_dense_enough(step, 0);
}

}  // namespace

constexpr Contract kTopKContract = {
    .op = Op::kTopK,
    .max_outputs = 2,
    .attribute_words = words_of<TopKAttributes>(),
    .work = Work::kReduced,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kTopKTypes,
    .outputs = {OperandType::kT, OperandType::kInt64},
    .check = check_top_k,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
