// Checks the type first.
#include "ops/result_tables.h"

#include "ops/check.h"

namespace arenite {

Status check_result_tables(const Step& step, uint32_t i, DType type) {
  if (step.dtype(i) != type) return input_error(step, Code::kBadType, i);
  const Tensor tables = step.input(i);
  const bool good = tables.rank() == 2 && tables.dims[0] == 2 && tables.dims[1] == kByteNumbers;
  return good ? check_dense_enough(step, i) : input_error(step, Code::kBadShape, i);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
