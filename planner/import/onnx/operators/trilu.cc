// Imports Trilu: zeros where a constant mask says so.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_trilu(OpContext& context) {
  context.expect_operands(1, 2);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() < 2) context.fail("expected a matrix, found " + dims_text(dims));
  int64_t k = 0;
  if (context.has_input(1)) {
    const std::vector<int64_t> given = *context.constant_ints(1, "k");
    if (given.size() != 1) context.fail("input 'k' holds no single number");
    k = given[0];
  }
  const bool upper = context.flag_attribute("upper", true);
  const int64_t rows = baked(dims[dims.size() - 2], "a constant mask");
  const int64_t columns = baked(dims.back(), "a constant mask");
  // Neither side of a comparison may wrap; beyond the matrix all diagonals are alike.
  k = std::clamp<int64_t>(k, -rows - 1, columns + 1);
  const ValueId keep = context.add_between("mask", DType::kBool, {rows, columns});
  context.count_constant(keep);
  std::vector<std::byte> mask(static_cast<size_t>(rows * columns));
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      const bool stays = upper ? c - r >= k : c - r <= k;
      mask[static_cast<size_t>(r * columns + c)] = std::byte{stays};
    }
  }
  const DType type = context.dtype(x);
  context.set_constant(keep, std::move(mask));
  const ValueId zero =
      context.add_constant("zero", type, {}, std::vector<std::byte>(element_bytes(type)));
  const ValueId y = context.add_output(0, type, dims);
  context.add_node(Op::kWhere, {keep, x, zero}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
