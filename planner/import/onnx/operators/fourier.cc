// Imports DFT and STFT: frames of a signal against twiddles that are computed here.
#include <cmath>
#include <cstring>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

constexpr const char* kTwiddles = "the factors of a Fourier transform";

// A constant single integer; nothing where it is left out.
std::optional<int64_t> constant_int(OpContext& context, size_t i, const char* what) {
  const std::optional<std::vector<int64_t>> list = context.constant_ints(i, what);
  if (!list) return std::nullopt;
  if (list->size() != 1) {
    context.fail("input '" + std::string(what) + "' holds " + std::to_string(list->size()) +
                 " numbers, expected one");
  }
  return list->front();
}

template <typename T>
std::vector<std::byte> twiddle_bytes(int64_t n, bool inverse) {
  std::vector<T> twiddles;
  for (int64_t i = 0; i < n; ++i) {
    const double angle =
        2 * 3.14159265358979323846 * static_cast<double>(i) / static_cast<double>(n);
    twiddles.push_back(static_cast<T>(std::cos(angle)));
    twiddles.push_back(static_cast<T>(inverse ? std::sin(angle) : -std::sin(angle)));
  }
  std::vector<std::byte> bytes(twiddles.size() * sizeof(T));
  std::memcpy(bytes.data(), twiddles.data(), bytes.size());
  return bytes;
}

struct Transform {
  int64_t n, hop;
  Dim frames, bins;
  bool inverse = false;
  ValueId window = kNoValue;
};

// x [B, L, 1 or 2] -> [B, frames, bins, 2], as `y`.
void add_transform(OpContext& context, ValueId x, ValueId y, const Transform& transform) {
  constexpr int64_t kLongest = 1 << 20;
  if (transform.n < 1 || transform.n > kLongest) {
    context.unsupported("transforms of " + std::to_string(transform.n) +
                            " elements are not supported, only of 1 to " + std::to_string(kLongest),
                        "shorter frames");
  }
  const bool wide = context.dtype(x) == DType::kFloat64;
  const ValueId twiddles =
      context.add_constant("twiddles", wide ? DType::kFloat64 : DType::kFloat32, {transform.n, 2},
                           wide ? twiddle_bytes<double>(transform.n, transform.inverse)
                                : twiddle_bytes<float>(transform.n, transform.inverse));
  DftAttributes attributes{};
  attributes.hop = static_cast<uint32_t>(transform.hop);
  attributes.scale = transform.inverse ? 1.0f / static_cast<float>(transform.n) : 1.0f;
  std::vector<ValueId> inputs = {x, twiddles};
  if (transform.window != kNoValue) inputs.push_back(transform.window);
  context.add_node(Op::kDft, inputs, {y}, attributes);
}

ValueId transposed(OpContext& context, ValueId x, const std::vector<uint32_t>& order,
                   std::optional<size_t> output) {
  Dims dims;
  for (const uint32_t d : order) dims.push_back(context.dims(x)[d]);
  const ValueId y = output ? context.add_output(*output, context.dtype(x), dims)
                           : context.add_between("transposed", context.dtype(x), dims);
  context.add_node(Op::kTranspose, {x}, {y}, order);
  return y;
}

}  // namespace

void import_dft(OpContext& context) {
  const bool axis_is_input = context.opset() >= 20;
  context.expect_operands(1, axis_is_input ? 3 : 2);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  const size_t rank = x_dims.size();
  if (rank < 2 || (x_dims.back() != 1 && x_dims.back() != 2)) {
    context.fail("expected an input [..., 1 or 2], found " + dims_text(x_dims));
  }
  const bool one_sided = context.flag_attribute("onesided", false);
  const bool inverse = context.flag_attribute("inverse", false);
  int64_t said = 0;
  if (axis_is_input) {
    said = constant_int(context, 2, "axis").value_or(-2);
  } else {
    said = context.int_attribute("axis", 1);
  }
  const uint32_t axis = context.axis(said, rank, "axis");
  if (axis + 1 == rank) context.fail("axis " + std::to_string(said) + " is that of the parts");
  if (one_sided && (inverse || x_dims.back() == 2)) {
    context.unsupported_attribute(
        "onesided", "is only supported for forward transforms of real signals", "both sides");
  }
  Transform transform{};
  const std::optional<int64_t> length = constant_int(context, 1, "dft_length");
  transform.n = length ? *length : baked(x_dims[axis], kTwiddles);
  transform.frames = 1;
  transform.inverse = inverse;
  transform.bins = one_sided ? transform.n / 2 + 1 : transform.n;

  // The axis last but for the parts; and back.
  std::vector<uint32_t> order, back(rank);
  for (uint32_t d = 0; d + 1 < rank; ++d) {
    if (d != axis) order.push_back(d);
  }
  order.push_back(axis);
  order.push_back(static_cast<uint32_t>(rank - 1));
  for (uint32_t d = 0; d < rank; ++d) back[order[d]] = d;
  const bool moves = axis + 2 != rank;
  const ValueId turned = moves ? transposed(context, x, order, std::nullopt) : x;
  Dims dims = context.dims(turned);
  Dim batch = 1;
  for (size_t d = 0; d + 2 < rank; ++d) batch *= dims[d];
  const ValueId frames = reshaped(context, turned, {batch, x_dims[axis], x_dims.back()}, "frames");
  const ValueId bins = context.add_between("bins", context.dtype(x), {batch, 1, transform.bins, 2});
  add_transform(context, frames, bins, transform);
  dims[rank - 2] = transform.bins;
  dims[rank - 1] = 2;
  if (!moves) return reshape_to_output(context, bins, dims);
  transposed(context, reshaped(context, bins, dims, "apart"), back, 0);
}

void import_stft(OpContext& context) {
  context.expect_operands(2, 4);
  const ValueId x = context.input(0);
  Dims x_dims = context.dims(x);
  if (x_dims.size() == 2) x_dims.push_back(1);
  if (x_dims.size() != 3 || (x_dims[2] != 1 && x_dims[2] != 2)) {
    context.fail("expected a signal [batch, length, 1 or 2], found " + dims_text(context.dims(x)));
  }
  const bool one_sided = context.flag_attribute("onesided", true);
  if (one_sided && x_dims[2] == 2) {
    context.unsupported_attribute("onesided", "is only supported for real signals", "both sides");
  }
  Transform transform{};
  const std::optional<int64_t> hop = constant_int(context, 1, "frame_step");
  const std::optional<int64_t> length = constant_int(context, 3, "frame_length");
  if (!length && !context.has_input(2)) context.fail("neither window nor frame_length is given");
  transform.n = length ? *length : baked(context.dims(context.input(2)).at(0), kTwiddles);
  transform.hop = *hop;
  if (transform.hop < 1 || transform.n < 1 || transform.n > x_dims[1]) {
    context.fail("frames of " + std::to_string(transform.n) + " elements, a step of " +
                 std::to_string(transform.hop) +
                 ": expected a step of 1 or more and frames within "
                 "the signal of " +
                 dim_text(x_dims[1]));
  }
  if (context.has_input(2)) {
    transform.window = context.input(2);
    const Dims window = context.dims(transform.window);
    if (window != Dims{transform.n} || context.dtype(transform.window) != context.dtype(x)) {
      context.fail("input 'window' is " + dtype_name(context.dtype(transform.window)) + " " +
                   dims_text(window) + ", expected " + dtype_name(context.dtype(x)) + " " +
                   dims_text(Dims{transform.n}));
    }
  }
  transform.frames = (x_dims[1] - transform.n) / transform.hop + 1;
  transform.bins = one_sided ? transform.n / 2 + 1 : transform.n;
  const ValueId signal = reshaped(context, x, x_dims, "signal");
  const ValueId y =
      context.add_output(0, context.dtype(x), {x_dims[0], transform.frames, transform.bins, 2});
  add_transform(context, signal, y, transform);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
