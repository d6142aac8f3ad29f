// Imports AffineGrid: the places of an image's elements, known here, times the transposed
// transform.
#include <cstring>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// [elements, x y (z) 1] of an image, whose dims come slowest first.
std::vector<float> places_of(const std::vector<int64_t>& image, bool align_corners) {
  int64_t count = 1;
  for (const int64_t dim : image) count *= dim;
  const auto place = [&](int64_t i, int64_t size) -> double {
    const auto at = static_cast<double>(i);
    const auto all = static_cast<double>(size);
    if (!align_corners) return (2 * at + 1) / all - 1;
    return size == 1 ? 0 : 2 * at / (all - 1) - 1;
  };
  std::vector<float> places;
  for (int64_t element = 0; element < count; ++element) {
    int64_t rest = element;
    for (size_t d = image.size(); d-- > 0;) {
      places.push_back(static_cast<float>(place(rest % image[d], image[d])));
      rest /= image[d];
    }
    places.push_back(1.0f);
  }
  return places;
}

}  // namespace

void import_affine_grid(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId theta = context.input(0);
  const Dims theta_dims = context.dims(theta);
  const std::vector<int64_t> size = *context.constant_ints(1, "size");
  const int64_t rank = static_cast<int64_t>(size.size()) - 2;
  if ((rank != 2 && rank != 3) || theta_dims != Dims{size[0], rank, rank + 1}) {
    context.fail(
        "expected transforms [N, 2, 3] for a size [N, C, H, W], or [N, 3, 4] for [N, C, D, "
        "H, W], found " +
        dims_text(theta_dims) + " and " + dims_text(size));
  }
  int64_t count = 1;
  for (size_t i = 0; i < size.size(); ++i) {
    attribute_word(context, "size", size[i], 0);
    if (i != 1) count *= size[i];
    if (count > (1 << 26)) context.fail("a grid of more than 2^26 places");
  }
  const std::vector<int64_t> image(size.begin() + 2, size.end());
  context.expect_room({static_cast<uint64_t>(count), size.size() - 1, 2 * sizeof(float)});
  const std::vector<float> places =
      places_of(image, context.flag_attribute("align_corners", false));
  std::vector<std::byte> bytes(places.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), places.data(), bytes.size());
  const auto elements = static_cast<int64_t>(places.size()) / (rank + 1);
  const ValueId base =
      context.add_constant("places", DType::kFloat32, {elements, rank + 1}, std::move(bytes));
  const ValueId turned =
      context.add_between("transposed", context.dtype(theta), {size[0], rank + 1, rank});
  context.add_node(Op::kTranspose, {theta}, {turned}, std::vector<uint32_t>{0, 2, 1});
  const ValueId grid = context.add_between("grid", context.dtype(theta), {size[0], elements, rank});
  context.add_node(Op::kMatMul, {base, turned}, {grid}, MatMulAttributes{1, 1, {}});
  Dims dims = {size[0]};
  dims.insert(dims.end(), image.begin(), image.end());
  dims.push_back(rank);
  reshape_to_output(context, grid, dims);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
