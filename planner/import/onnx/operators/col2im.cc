// Imports Col2Im: blocks that overlap are added up by a transposed convolution whose filters put
// each element of a block in its place. As many products as filters are long an element, most of
// them with 0: what no operator of its own would save in models, which hardly hold it.
#include <cstring>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

int64_t product(const std::vector<int64_t>& dims) {
  int64_t result = 1;
  for (const int64_t dim : dims) result *= dim;
  return result;
}

// [channels, elements, block...]: 1 where the element is that of the block.
ValueId placing_filters(OpContext& context, int64_t channels, const std::vector<int64_t>& block) {
  const int64_t elements = product(block);
  const auto each = static_cast<uint64_t>(elements);
  context.expect_room({static_cast<uint64_t>(channels), each, each, 2 * sizeof(float)});
  std::vector<float> ones(static_cast<size_t>(channels * elements * elements), 0.0f);
  for (int64_t i = 0; i < channels * elements; ++i) {
    ones[static_cast<size_t>(i * elements + i % elements)] = 1.0f;
  }
  std::vector<std::byte> bytes(ones.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), ones.data(), bytes.size());
  Dims dims = {channels, elements};
  dims.insert(dims.end(), block.begin(), block.end());
  return context.add_constant("filters", DType::kFloat32, dims, std::move(bytes));
}

}  // namespace

void import_col2im(OpContext& context) {
  context.expect_operands(3, 3);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  const std::vector<int64_t> image = *context.constant_ints(1, "image_shape");
  const std::vector<int64_t> block = *context.constant_ints(2, "block_shape");
  const size_t rank = image.size();
  if (x_dims.size() != 3 || rank == 0 || block.size() != rank) {
    context.fail(
        "expected an input [N, C * block, L] and as many numbers in image_shape as in "
        "block_shape, found " +
        dims_text(x_dims) + ", " + dims_text(image) + " and " + dims_text(block));
  }
  if (rank > 3)
    context.unsupported("images of more than three dimensions are not supported",
                        "images of up to three");
  for (size_t i = 0; i < rank; ++i) {
    attribute_word(context, "image_shape", image[i], 1);
    attribute_word(context, "block_shape", block[i], 1);
    if (block[i] > 1024)
      context.unsupported("blocks of more than 1024 elements along an axis", "smaller blocks");
  }
  const std::vector<int64_t> stride = attribute_numbers(context, "strides", rank, 1, 1);
  const std::vector<int64_t> dilation = attribute_numbers(context, "dilations", rank, 1, 1);
  const std::vector<int64_t> pads = attribute_numbers(context, "pads", 2 * rank, 0, 0);
  const int64_t elements = product(block);
  std::vector<int64_t> blocks;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t room = image[i] + pads[i] + pads[rank + i] - (dilation[i] * (block[i] - 1) + 1);
    blocks.push_back(room < 0 ? 0 : room / stride[i] + 1);
  }
  if (x_dims[1] % elements != 0 || product(blocks) != x_dims[2]) {
    context.fail("blocks " + dims_text(block) + " of an image " + dims_text(image) +
                 " are [N, C * " + std::to_string(elements) + ", " +
                 std::to_string(product(blocks)) + "], found " + dims_text(x_dims));
  }
  const int64_t channels = baked(x_dims[1] / elements, "the filters that place blocks");
  ConvTransposeAttributes attributes{
      static_cast<uint32_t>(channels), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {}};
  for (size_t i = 0; i < rank; ++i) {
    const size_t axis = 3 - rank + i;
    attributes.stride[axis] = static_cast<uint32_t>(stride[i]);
    attributes.dilation[axis] = static_cast<uint32_t>(dilation[i]);
    attributes.pad_begin[axis] = static_cast<uint32_t>(pads[i]);
  }
  Dims apart = {x_dims[0], x_dims[1]};
  apart.insert(apart.end(), blocks.begin(), blocks.end());
  Dims dims = {x_dims[0], channels};
  dims.insert(dims.end(), image.begin(), image.end());
  const ValueId columns = reshaped(context, x, apart, "columns");
  const ValueId filters = placing_filters(context, channels, block);
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kConvTranspose, {columns, filters}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
