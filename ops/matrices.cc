// Compares rank, batch dims and the inner dim of a, b and y; bounds panels by their bytes.
#include "ops/matrices.h"

#include "ops/check.h"
#include "ops/packings.h"

namespace arenite {

Status check_matrices(const Step& step) {
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  const uint32_t rank = y.rank();
  if (rank < 2) return output_error(step, Code::kBadShape);
  if (a.rank() != rank || !matrix_fits(a)) return input_error(step, Code::kBadShape, 0);
  if (b.rank() != rank) return input_error(step, Code::kBadShape, 1);
  const bool one_for_all = in_blocks(b.layout());
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    if (a.dims[d] != y.dims[d]) return input_error(step, Code::kBadShape, 0);
    if (b.dims[d] != (one_for_all ? 1 : y.dims[d])) return input_error(step, Code::kBadShape, 1);
  }
  const uint32_t k = a.dims[rank - 1];
  if (a.dims[rank - 2] != y.dims[rank - 2]) return input_error(step, Code::kBadShape, 0);
  if (b.dims[rank - 2] != k || b.dims[rank - 1] != y.dims[rank - 1]) {
    return input_error(step, Code::kBadShape, 1);
  }
  const bool held = b.layout() != Layout::kPanel16 || panels_hold(b, b.dims[rank - 1], k);
  return held ? ok_status() : input_error(step, Code::kBadRange, 1);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
