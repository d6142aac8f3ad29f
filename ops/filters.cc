// Compares channels and groups of x, w and y, and the bias, dim by dim.
#include "ops/filters.h"

#include "ops/check.h"
#include "ops/packings.h"

namespace arenite {

Status check_filter_dims(const Step& step, const Filtered& operands, uint32_t spatial,
                         uint32_t groups) {
  const auto& [x, w, y] = operands;
  const uint32_t rank = spatial + 2;
  if (x.rank() != rank) return input_error(step, Code::kBadShape, 0);
  if (w.rank() != rank) return input_error(step, Code::kBadShape, 1);
  if (y.rank() != rank || y.dims[0] != x.dims[0] || y.dims[1] != w.dims[0]) {
    return output_error(step, Code::kBadShape);
  }
  if (groups == 0 || w.dims[0] % groups != 0 || x.dims[1] % groups != 0) {
    return error(Code::kBadAttribute);
  }
  if (w.dims[1] != x.dims[1] / groups) return input_error(step, Code::kBadShape, 1);
  ARENITE_TRY(check_dense_enough(step, 0));
  // A form counts the bytes of blocks when it accepts them.
  return w.layout() == Layout::kBlocked ? ok_status() : check_dense_enough(step, 1);
}

Status check_filters(const Step& step, const Filtered& operands, uint32_t spatial,
                     uint32_t groups) {
  ARENITE_TRY(check_filter_dims(step, operands, spatial, groups));
  return check_vector(step, 2, operands.w.dims[0]);
}

Status check_filter_panels(const Step& step, uint32_t groups) {
  const Tensor w = step.input(1);
  if (w.layout() != Layout::kPanel16) return ok_status();
  if (groups != 1) return input_error(step, Code::kBadLayout, 1);
  uint32_t k = 1;
  for (uint32_t d = 1; d < w.rank(); ++d) k *= w.dims[d];
  return panels_hold(w, w.dims[0], k) ? ok_status() : input_error(step, Code::kBadRange, 1);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
