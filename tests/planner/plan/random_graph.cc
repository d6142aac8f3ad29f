// Picks operators and earlier values by chance, and derives dims that fit.
#include "tests/planner/plan/random_graph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace arenite::test {
namespace {

class RandomGraph {
 public:
  // For float32 all operators; for any other type those that move elements.
  RandomGraph(uint32_t seed, DType type, bool constants = false)
      : random_(seed), type_(type), constants_(constants) {}

  Graph run() {
    const uint32_t inputs = number(1, 2);
    for (uint32_t i = 0; i < inputs; ++i) {
      const Dims dims = {number(1, 2), number(1, 20), number(2, 7), number(2, 7)};
      values_.push_back(builder_.input(dims, type_));
    }
    if (constants_) add_first_operands();
    const uint32_t nodes = number(1, 16);
    while (builder_.graph().nodes.size() < nodes) add_node();
    const uint32_t outputs = number(1, 3);
    for (uint32_t i = 0; i < outputs; ++i) builder_.output(any());
    // Something late is always an output, so that the graph is not all dead.
    builder_.output(values_.back());
    if (number(0, 9) == 0) builder_.output(values_.back());
    if (number(0, 9) == 0) builder_.output(constant({number(1, 5), 3}));
    return builder_.graph();
  }

 private:
  uint32_t number(uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random_);
  }
  // Adds values that nodes begin with besides inputs: constants, and long values.
  void add_first_operands() {
    Dims dims = {number(1, 2), number(1, 20), number(2, 7), number(2, 7)};
    values_.push_back(constant(dims));
    dims = {number(1, 1024), number(1, 16)};
    if (number(0, 1) == 0) std::swap(dims[0], dims[1]);
    values_.push_back(operand(dims));
  }
  ValueId operand(const Dims& dims) {
    return number(0, 1) == 0 ? constant(dims) : builder_.input(dims, type_);
  }
  // Later values more often.
  ValueId any() {
    const auto size = static_cast<uint32_t>(values_.size());
    return values_[std::max(number(0, size - 1), number(0, size - 1))];
  }
  void made(ValueId v) { values_.push_back(v); }
  ValueId constant(const Dims& dims) {
    const uint32_t seed = number(1, 99);
    if (type_ == DType::kFloat32) return builder_.constant(dims, seed);
    uint64_t bytes = element_bytes(type_);
    for (const uint32_t dim : dims) bytes *= dim;
    std::vector<std::byte> contents(bytes);
    for (std::byte& byte : contents) byte = static_cast<std::byte>(number(0, 255));
    return builder_.constant_bytes(dims, type_, std::move(contents));
  }

  void add_node() {
    const ValueId x = any();
    const Dims dims = builder_.dims(x);
    if (planner::Value(builder_.graph().values[x]).elements() > 20000) return;
    if (type_ != DType::kFloat32) return add_move(x, dims);
    if (constants_ && number(0, 5) == 0) return add_attention(x, dims);
    switch (number(0, 14)) {
      case 0:
      case 1:
        return add_conv(x, dims);
      case 2:
        return add_pool(x, dims);
      case 3:
        return add_binary(x, dims);
      case 4:
        return add_unary(x, dims);
      case 5:
        return add_softmax(x, dims);
      case 6:
        return add_concat(x, dims);
      case 7:
        return add_pad(x, dims);
      case 8:
      case 9:
        return add_transpose(x, dims);
      case 10:
      case 11:
        return add_reshape(x, dims);
      case 12:
        return add_slice(x, dims);
      case 13:
        return add_matmul(x, dims);
      default:
        return number(0, 1) == 0 ? add_reduce_mean(x, dims) : add_gather(x, dims);
    }
  }

  void add_move(ValueId x, const Dims& dims) {
    switch (number(0, 7)) {
      case 0:
      case 1:
        return add_concat(x, dims);
      case 2:
        return add_pad(x, dims);
      case 3:
        return add_transpose(x, dims);
      case 4:
        return add_reshape(x, dims);
      case 5:
        return add_slice(x, dims);
      case 6:
        return add_gather(x, dims);
      default:
        return add_copy(x, dims);
    }
  }

  void add_conv(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    const uint32_t kernel = std::min({number(1, 3), dims[2], dims[3]});
    const uint32_t pad = kernel == 3 ? number(0, 1) : 0;
    switch (number(0, 2)) {
      case 0:
        return made(builder_.conv(x, number(1, 40), kernel, pad));
      case 1:
        return made(builder_.conv(x, dims[1] * number(1, 2), kernel, pad, dims[1]));
      default:
        if (dims[1] % 2 != 0) return;
        return made(builder_.conv(x, 2 * number(1, 10), kernel, pad, 2));
    }
  }

  void add_pool(ValueId x, const Dims& dims) {
    if (dims.size() != 4) return;
    PoolAttributes attributes{};
    Dims to = dims;
    for (uint32_t d = 0; d < 3; ++d) {
      attributes.kernel[d] = attributes.stride[d] = attributes.dilation[d] = 1;
      if (d == 0) continue;
      attributes.kernel[d] = number(1, std::min(3u, dims[d + 1]));
      attributes.stride[d] = number(1, 2);
      to[d + 1] = (dims[d + 1] - attributes.kernel[d]) / attributes.stride[d] + 1;
    }
    attributes.count_include_pad = number(0, 1);
    made(builder_.node(number(0, 1) == 0 ? Op::kMaxPool : Op::kAveragePool, {x}, to, attributes));
  }

  void add_binary(ValueId x, const Dims& dims) {
    constexpr Op kOps[] = {Op::kAdd, Op::kMul, Op::kDiv};
    ValueId other = kNoValue;
    for (const ValueId v : values_) {
      if (builder_.dims(v) == dims && (other == kNoValue || number(0, 1) == 0)) other = v;
    }
    if (number(0, 1) == 0) {
      Dims broadcast = dims;
      for (uint32_t& dim : broadcast) dim = number(0, 1) == 0 ? 1 : dim;
      broadcast.erase(broadcast.begin(),
                      broadcast.begin() + number(0, static_cast<uint32_t>(dims.size())));
      other = builder_.constant(broadcast, number(1, 99));
    }
    BinaryAttributes attributes{};
    if (number(0, 2) == 0) attributes.activation = {ActivationKind::kClip, -0.5f, 0.5f};
    made(builder_.node(kOps[number(0, 2)], {x, other}, dims, attributes));
  }

  void add_unary(ValueId x, const Dims& dims) {
    switch (number(0, 3)) {
      case 0:
        return made(builder_.clip(x, -0.25f, 1.0f));
      case 1:
        return made(builder_.node(Op::kSigmoid, {x}, dims));
      case 2:
        return made(builder_.node(Op::kHardSigmoid, {x}, dims, UnaryAttributes{0.2f, 0.5f}));
      default:
        return add_copy(x, dims);
    }
  }

  // Adds a copy like those of Expand and Tile: dims of 1 are repeated, and new ones come before.
  void add_copy(ValueId x, const Dims& dims) {
    Dims to = dims;
    for (uint32_t& dim : to) dim = dim == 1 ? number(1, 3) : dim;
    if (to.size() < kMaxRank && number(0, 1) == 0) to.insert(to.begin(), number(1, 3));
    made(builder_.node(Op::kCopy, {x}, to));
  }

  void add_softmax(ValueId x, const Dims& dims) {
    if (dims.empty()) return;
    const auto all = (1u << dims.size()) - 1;
    made(builder_.node(Op::kSoftmax, {x}, dims, SoftmaxAttributes{number(1, all)}));
  }

  void add_reduce_mean(ValueId x, const Dims& dims) {
    if (dims.empty()) return;
    const uint32_t axes = number(1, (1u << dims.size()) - 1);
    Dims to = dims;
    for (uint32_t d = 0; d < to.size(); ++d) {
      if ((axes >> d & 1) != 0) to[d] = 1;
    }
    made(builder_.node(Op::kReduceMean, {x}, to, ReduceAttributes{axes}));
  }

  void add_concat(ValueId x, const Dims& dims) {
    if (dims.empty()) return;
    const auto axis = number(0, static_cast<uint32_t>(dims.size()) - 1);
    std::vector<ValueId> parts{x};
    for (const ValueId v : values_) {
      Dims other = builder_.dims(v);
      if (other.size() != dims.size() || number(0, 1) == 0) continue;
      other[axis] = dims[axis];
      if (other == dims) parts.push_back(v);
    }
    Dims last = dims;
    last[axis] = number(1, 3);
    if (number(0, 2) == 0) parts.push_back(constant(last));
    made(builder_.concat(parts, axis));
  }

  void add_pad(ValueId x, const Dims& dims) {
    PadAttributes attributes{};
    Dims to = dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      attributes.begin[d] = static_cast<int32_t>(number(0, 2)) - 1;
      const uint32_t end = number(0, 1);
      const int64_t size = int64_t{dims[d]} + attributes.begin[d] + end;
      if (size < 1) return;
      to[d] = static_cast<uint32_t>(size);
    }
    attributes.value_bits[0] = 0x3f800000;
    made(builder_.node(Op::kPad, {x}, to, attributes));
  }

  void add_transpose(ValueId x, const Dims& dims) {
    std::vector<uint32_t> permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    made(builder_.transpose(x, permutation));
  }

  // Joins neighbors, splits dims, adds and drops dims of 1.
  void add_reshape(ValueId x, const Dims& dims) {
    Dims to = dims;
    for (uint32_t change = number(1, 3); change > 0; --change) {
      const uint32_t at = to.empty() ? 0 : number(0, static_cast<uint32_t>(to.size()) - 1);
      switch (number(0, 3)) {
        case 0:
          if (at + 1 >= to.size()) break;
          to[at] *= to[at + 1];
          to.erase(to.begin() + at + 1);
          break;
        case 1: {
          if (to.empty() || to.size() >= kMaxRank) break;
          const uint32_t factor = number(2, 4);
          if (to[at] % factor != 0) break;
          to[at] /= factor;
          to.insert(to.begin() + at + number(0, 1), factor);
          break;
        }
        case 2:
          if (to.size() < kMaxRank) to.insert(to.begin() + at, 1);
          break;
        default:
          if (!to.empty() && to[at] == 1) to.erase(to.begin() + at);
      }
    }
    made(builder_.reshape(x, to));
  }

  void add_slice(ValueId x, const Dims& dims) {
    std::vector<int32_t> start, step;
    Dims to;
    const bool forward = number(0, 2) != 0;
    for (const uint32_t dim : dims) {
      const auto stride = static_cast<int32_t>(number(1, 2));
      const uint32_t first = number(0, dim - 1);
      const bool back = !forward && number(0, 1) == 0;
      const uint32_t room = back ? first : dim - 1 - first;
      start.push_back(static_cast<int32_t>(first));
      step.push_back(back ? -stride : stride);
      to.push_back(number(1, room / static_cast<uint32_t>(stride) + 1));
    }
    made(builder_.slice(x, start, step, to));
  }

  void add_matmul(ValueId x, const Dims& dims) {
    if (dims.size() < 2) return;
    const uint32_t columns = number(1, 40);
    Dims right{dims.back(), columns};
    if (number(0, 1) == 0) right.insert(right.begin(), 1);
    Dims to = dims;
    if (to.size() < right.size()) to.insert(to.begin(), 1);
    to.back() = columns;
    made(builder_.matmul(x, builder_.constant(right, number(1, 99)), to));
  }

  // softmax(x * keys [* number]) * v.
  void add_attention(ValueId x, const Dims& dims) {
    if (dims.size() < 2) return;
    const size_t rank = dims.size();
    const auto of_a_head = [&](uint32_t rows, uint32_t columns) {
      Dims result = dims;
      for (uint32_t& dim : result) dim = number(0, 1) == 0 ? 1 : dim;
      result[rank - 2] = rows;
      result[rank - 1] = columns;
      return result;
    };
    const uint32_t keys = number(1, 64), width = number(1, 16);
    Dims to = dims;
    to[rank - 1] = keys;
    const uint64_t elements =
        std::accumulate(to.begin(), to.end(), uint64_t{1}, std::multiplies<>());
    if (elements > 20000) return;
    ValueId scores = builder_.matmul(x, operand(of_a_head(dims[rank - 1], keys)), to);
    if (number(0, 1) == 0) {
      scores = builder_.node(Op::kMul, {scores, constant({})}, to, BinaryAttributes{});
    }
    const ValueId shares =
        builder_.node(Op::kSoftmax, {scores}, to, SoftmaxAttributes{1u << (rank - 1)});
    to[rank - 1] = width;
    made(builder_.matmul(shares, operand(of_a_head(keys, width)), to));
  }

  void add_gather(ValueId x, const Dims& dims) {
    if (dims.empty()) return;
    const auto axis = number(0, static_cast<uint32_t>(dims.size()) - 1);
    std::vector<int64_t> indices(number(1, 4));
    for (int64_t& index : indices) index = int64_t{number(0, 2 * dims[axis] - 1)} - dims[axis];
    Dims to = dims;
    to[axis] = static_cast<uint32_t>(indices.size());
    made(builder_.node(Op::kGather, {x, builder_.constant_int64(indices)}, to,
                       GatherAttributes{axis}));
  }

  std::mt19937 random_;
  const DType type_;
  const bool constants_;
  GraphBuilder builder_;
  std::vector<ValueId> values_;
};

}  // namespace

Graph random_graph(uint32_t seed, DType type) { return RandomGraph(seed, type).run(); }

Graph random_graph_with_constants(uint32_t seed) {
  return RandomGraph(seed, DType::kFloat32, true).run();
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
