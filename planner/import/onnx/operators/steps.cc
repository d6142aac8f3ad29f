// Adds the nodes of operators that become several.
#include "planner/import/onnx/operators/steps.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/shapes.h"
#include "portable_fallback/shared/small_float.h"

namespace arenite::planner {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<std::byte> bytes_of_one(T element) {
  return bytes_of(std::vector<T>{element});
}

}  // namespace

ValueId Steps::add(Op op, const std::vector<ValueId>& inputs, DType type, const Dims& dims,
                   const std::vector<uint32_t>& attributes) {
  const ValueId y = context_.add_between(op_name(op).c_str(), type, dims);
  context_.add_node(op, inputs, {y}, attributes);
  return y;
}

ValueId Steps::unary(Op op, ValueId x, const UnaryAttributes& attributes) {
  return add(op, {x}, dtype(x), dims(x), attributes);
}

ValueId Steps::binary(Op op, ValueId a, ValueId b) {
  return add(op, {a, b}, dtype(a), broadcast_dims(context_, context_.dims(a), context_.dims(b)),
             BinaryAttributes{});
}

ValueId Steps::compare(Op op, ValueId a, ValueId b) {
  return add(op, {a, b}, DType::kBool, broadcast_dims(context_, context_.dims(a), context_.dims(b)),
             BinaryAttributes{});
}

ValueId Steps::reduce(Op op, ValueId x, const std::vector<uint32_t>& axes) {
  Dims result = dims(x);
  ReduceAttributes attributes{};
  for (const uint32_t axis : axes) {
    result[axis] = 1;
    attributes.axes |= 1u << axis;
  }
  return add(op, {x}, dtype(x), result, attributes);
}

ValueId Steps::softmax(ValueId x, uint32_t axes) {
  return add(Op::kSoftmax, {x}, dtype(x), dims(x), SoftmaxAttributes{axes});
}

ValueId Steps::matmul(ValueId x, ValueId y, float alpha) {
  const Dims left = context_.dims(x);
  const Dims right = context_.dims(y);
  Dims result =
      broadcast_dims(context_, {left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
  result.insert(result.end(), {left[left.size() - 2], right.back()});
  return add(Op::kMatMul, {x, y}, dtype(x), result, MatMulAttributes{alpha, 1.0f, {}});
}

ValueId Steps::normalize(ValueId x, ValueId scale, ValueId bias,
                         const NormalizeAttributes& attributes) {
  std::vector<ValueId> inputs = {x, scale, bias};
  while (inputs.back() == kNoValue) inputs.pop_back();
  return add(Op::kNormalize, inputs, dtype(x), dims(x), attributes);
}

ValueId Steps::where(ValueId condition, ValueId a, ValueId b) {
  const Dims both = broadcast_dims(context_, context_.dims(a), context_.dims(b));
  const Dims all = broadcast_dims(context_, context_.dims(condition), {both.begin(), both.end()});
  return add(Op::kWhere, {condition, a, b}, dtype(a), all);
}

ValueId Steps::cast(ValueId x, DType type) {
  return dtype(x) == type ? x : add(Op::kCast, {x}, type, dims(x));
}

ValueId Steps::clip(ValueId x, float least, float most) {
  return add(Op::kClip, {x}, dtype(x), dims(x), ClipAttributes{least, most});
}

ValueId Steps::reshape(ValueId x, const Dims& dims) {
  return reshaped(context_, x, dims, "reshape");
}

ValueId Steps::transpose(ValueId x, const std::vector<uint32_t>& order) {
  const Dims from = context_.dims(x);
  Dims to;
  for (const uint32_t axis : order) to.push_back(from[axis]);
  return add(Op::kTranspose, {x}, dtype(x), to, order);
}

ValueId Steps::slice(ValueId x, uint32_t axis, const Dim& start, const Dim& count) {
  Dims result = dims(x);
  result[axis] = count;
  SliceAttributes attributes{};
  std::fill(std::begin(attributes.step), std::end(attributes.step), 1);
  attributes.start[axis] = static_cast<int32_t>(baked(start, "the start of a slice"));
  return add(Op::kSlice, {x}, dtype(x), result, attributes);
}

ValueId Steps::concat(const std::vector<ValueId>& parts, uint32_t axis) {
  Dims result = dims(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) result[axis] += context_.dims(parts[i])[axis];
  return add(Op::kConcat, parts, dtype(parts[0]), result, ConcatAttributes{axis});
}

ValueId Steps::gather(ValueId x, ValueId indices, uint32_t axis) {
  Dims result = dims(x);
  const Dims places = dims(indices);
  result.erase(result.begin() + axis);
  result.insert(result.begin() + axis, places.begin(), places.end());
  return add(Op::kGather, {x, indices}, dtype(x), result, GatherAttributes{axis});
}

ValueId Steps::gather_elements(ValueId x, ValueId indices, uint32_t axis) {
  return add(Op::kGatherElements, {x, indices}, dtype(x), dims(indices),
             IndexedAttributes{axis, 0, 0});
}

ValueId Steps::expand(ValueId x, const Dims& dims) {
  if (this->dims(x) == dims) return x;
  return add(Op::kCopy, {x}, dtype(x), dims);
}

ValueId Steps::scalar(DType type, double number) {
  const auto bytes = [&]() -> std::vector<std::byte> {
    switch (type) {
      case DType::kFloat64:
        return bytes_of_one(number);
      case DType::kFloat16:
        return bytes_of_one(double_to_small<kFloat16Format>(number));
      case DType::kBfloat16:
        return bytes_of_one(double_to_small<kBfloat16Format>(number));
      case DType::kInt32:
        return bytes_of_one(static_cast<int32_t>(number));
      case DType::kInt64:
        return bytes_of_one(static_cast<int64_t>(number));
      case DType::kFloat32:
        return bytes_of_one(static_cast<float>(number));
      default:
        context_.unsupported("is not supported for elements of " + dtype_name(type), "float32");
    }
  };
  return context_.add_constant("number", type, {}, bytes());
}

ValueId Steps::constant(const Dims& dims, const std::vector<float>& elements) {
  return context_.add_constant("constant", DType::kFloat32, dims, bytes_of(elements));
}

ValueId Steps::constant(const Dims& dims, const std::vector<int64_t>& elements) {
  return context_.add_constant("constant", DType::kInt64, dims, bytes_of(elements));
}

ValueId Steps::counting(const Dims& dims) {
  const int64_t count = baked(product(dims), "a list of places");
  expect_room({static_cast<uint64_t>(count), 2 * sizeof(int64_t)});
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return constant(dims, numbers);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
