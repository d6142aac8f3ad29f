// Imports DepthToSpace and SpaceToDepth: a reshape, a transpose, and a reshape.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

struct Blocks {
  ValueId x;
  Dims dims;     // of x, four
  int64_t size;  // of a block, in each direction
};

Blocks read_blocks(OpContext& context) {
  context.expect_operands(1, 1);
  Blocks blocks{context.input(0), {}, context.int_attribute("blocksize", 0)};
  blocks.dims = context.dims(blocks.x);
  if (blocks.dims.size() != 4) {
    context.fail("expected an input of rank 4, found " + dims_text(context.dims(blocks.x)));
  }
  if (blocks.size < 1 || blocks.size > INT16_MAX) {
    context.fail_attribute("blocksize",
                           "expected a positive number, found " + std::to_string(blocks.size));
  }
  return blocks;
}

// Output 0: x seen as `parts`, those in another order, and that seen as `dims`.
void move_blocks(OpContext& context, ValueId x, const Dims& parts,
                 const std::vector<uint32_t>& order, const Dims& dims) {
  const ValueId apart = reshaped(context, x, parts, "blocks");
  Dims moved;
  for (const uint32_t axis : order) moved.push_back(parts[axis]);
  const ValueId turned = context.add_between("moved", context.dtype(x), moved);
  context.add_node(Op::kTranspose, {apart}, {turned}, order);
  reshape_to_output(context, turned, dims);
}

}  // namespace

void import_depth_to_space(OpContext& context) {
  const Blocks blocks = read_blocks(context);
  const std::string mode = context.string_attribute("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    context.fail_attribute("mode", "expected DCR or CRD, found " + printable(mode));
  }
  const Dim n = blocks.dims[0], h = blocks.dims[2], w = blocks.dims[3], b = blocks.size;
  const Dim depth = blocks.dims[1] / (b * b);
  if (depth * b * b != blocks.dims[1]) {
    context.fail("expected channels that are a multiple of " + dim_text(b * b) + ", found " +
                 dim_text(blocks.dims[1]));
  }
  const Dims dims = {n, depth, h * b, w * b};
  if (mode == "DCR") {
    move_blocks(context, blocks.x, {n, b, b, depth, h, w}, {0, 3, 4, 1, 5, 2}, dims);
  } else {
    move_blocks(context, blocks.x, {n, depth, b, b, h, w}, {0, 1, 4, 2, 5, 3}, dims);
  }
}

void import_space_to_depth(OpContext& context) {
  const Blocks blocks = read_blocks(context);
  const Dim n = blocks.dims[0], c = blocks.dims[1], b = blocks.size;
  const Dim h = blocks.dims[2] / b, w = blocks.dims[3] / b;
  if (h * b != blocks.dims[2] || w * b != blocks.dims[3]) {
    context.fail("expected an image of whole blocks of " + dim_text(b) + ", found " +
                 dims_text(context.dims(blocks.x)));
  }
  move_blocks(context, blocks.x, {n, c, h, b, w, b}, {0, 3, 5, 1, 2, 4}, {n, c * b * b, h, w});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
