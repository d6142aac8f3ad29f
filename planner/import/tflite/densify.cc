// Imports DENSIFY: a sparse constant, stored dim by dim in an order and in blocks of its own, is
// written out.
//
// Its dims are those of the tensor, each divided by its block's size where it has one, and behind
// them the blocks'. `traversal_order` lists them as they nest. A dense level holds all of its dim's
// positions below each position of the level above; a compressed one those between two segments.
#include <numeric>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

struct Level {
  size_t dim = 0;  // of the expanded dims
  bool dense = true;
  uint64_t size = 0;  // of the dim
  std::vector<uint64_t> segments, indices;
};

template <typename T>
std::vector<uint64_t> numbers(const Context& context, const flatbuffers::Vector<T>* list) {
  std::vector<uint64_t> result;
  if (list == nullptr) return result;
  for (const auto entry : *list) {
    if constexpr (std::is_signed_v<T>) {
      if (entry < 0) context.fail("sparsity: number " + std::to_string(entry) + " is negative");
    }
    result.push_back(static_cast<uint64_t>(entry));
  }
  return result;
}

std::vector<uint64_t> numbers(const Context& context, schema::SparseIndexVector type,
                              const void* table) {
  if (table != nullptr) {
    switch (type) {
      case schema::SparseIndexVector_Int32Vector:
        return numbers(context, static_cast<const schema::Int32Vector*>(table)->values());
      case schema::SparseIndexVector_Uint16Vector:
        return numbers(context, static_cast<const schema::Uint16Vector*>(table)->values());
      case schema::SparseIndexVector_Uint8Vector:
        return numbers(context, static_cast<const schema::Uint8Vector*>(table)->values());
      default:
        break;
    }
  }
  context.fail("sparsity: segments or indices of a compressed dimension are missing");
}

class Densified {
 public:
  Densified(const Context& context, const Tensor& tensor)
      : context_(context), tensor_(tensor), rank_(tensor.dims.size()) {
    read_blocks();
    read_levels();
    count_positions();
  }

  std::vector<std::byte> bytes() {
    context_.expect_room({elements_, element_bytes(tensor_.dtype)});
    result_.resize(elements_ * element_bytes(tensor_.dtype));
    visit(0, 0);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    context_.fail("sparsity of " + describe(tensor_) + ": " + what);
  }

  void read_blocks() {
    const schema::SparsityParameters& sparsity = *tensor_.sparsity;
    for (const uint64_t dim : numbers(context_, sparsity.block_map())) {
      if (dim >= rank_) fail("block of dimension " + std::to_string(dim));
      blocked_.push_back(dim);
    }
    const size_t count = rank_ + blocked_.size();
    if (blocked_.size() > rank_ || sparsity.dim_metadata() == nullptr ||
        sparsity.dim_metadata()->size() != count) {
      fail("expected a description of each of " + std::to_string(count) + " dimensions");
    }
    expanded_.assign(tensor_.dims.begin(), tensor_.dims.end());
    elements_ = std::accumulate(expanded_.begin(), expanded_.end(), uint64_t{1},
                                std::multiplies<uint64_t>());
  }

  void read_levels() {
    const schema::SparsityParameters& sparsity = *tensor_.sparsity;
    const std::vector<uint64_t> order = numbers(context_, sparsity.traversal_order());
    const size_t count = rank_ + blocked_.size();
    std::vector<bool> seen(count, false);
    if (order.size() != count) fail("traversal_order has no entry for each dimension");
    expanded_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      if (order[i] >= count || seen[order[i]]) fail("traversal_order is no order");
      seen[order[i]] = true;
      levels_.push_back(
          read_level(*sparsity.dim_metadata()->Get(static_cast<uint32_t>(i)), order[i]));
      // Only its dense size is known for a blocked dim.
      if (order[i] >= rank_) take_block(levels_.back());
    }
    for (Level& level : levels_) {
      if (level.dense && level.size != expanded_[level.dim]) {
        fail("dimension " + std::to_string(level.dim) + " has " + std::to_string(level.size) +
             " positions, expected " + std::to_string(expanded_[level.dim]));
      }
      level.size = expanded_[level.dim];
    }
  }

  Level read_level(const schema::DimensionMetadata& table, uint64_t dim) const {
    Level level;
    level.dim = dim;
    if (table.format() == schema::DimensionType_DENSE) {
      if (table.dense_size() < 0) fail("a dense size is negative");
      level.size = static_cast<uint64_t>(table.dense_size());
    } else if (table.format() == schema::DimensionType_SPARSE_CSR) {
      level.dense = false;
      level.segments = numbers(context_, table.array_segments_type(), table.array_segments());
      level.indices = numbers(context_, table.array_indices_type(), table.array_indices());
    } else {
      fail("format " + std::to_string(int{table.format()}) + " is not known");
    }
    return level;
  }

  // The block's size divides its dim.
  void take_block(const Level& level) {
    const uint64_t dim = blocked_[level.dim - rank_];
    if (!level.dense || level.size == 0 || expanded_[dim] % level.size != 0) {
      fail("a block of " + std::to_string(level.size) + " does not divide dimension " +
           std::to_string(dim) + " of " + dims_text(tensor_.dims));
    }
    expanded_[level.dim] = level.size;
    expanded_[dim] /= level.size;
  }

  // Counts the positions of each level, so that every visit stays inside.
  void count_positions() {
    uint64_t count = 1;
    for (const Level& level : levels_) {
      if (level.dense) {
        count *= level.size;
        if (count > elements_) fail("describes more elements than there are");
        continue;
      }
      const std::vector<uint64_t>& segments = level.segments;
      bool right = segments.size() == count + 1 && segments.front() == 0 &&
                   segments.back() == level.indices.size();
      for (size_t i = 1; right && i < segments.size(); ++i) right = segments[i] >= segments[i - 1];
      for (const uint64_t index : level.indices) right = right && index < level.size;
      if (!right) {
        fail("segments and indices of dimension " + std::to_string(level.dim) +
             " contradict each other");
      }
      count = level.indices.size();
    }
    if (tensor_.data.size() != count * element_bytes(tensor_.dtype)) {
      fail("its buffer holds " + std::to_string(tensor_.data.size()) +
           " bytes, expected those of " + std::to_string(count) + " elements");
    }
  }

  void visit(size_t depth, uint64_t position) {
    if (depth == levels_.size()) return write(position);
    const Level& level = levels_[depth];
    const uint64_t first = level.dense ? position * level.size : level.segments[position];
    const uint64_t last = level.dense ? first + level.size : level.segments[position + 1];
    for (uint64_t i = first; i < last; ++i) {
      at_[level.dim] = level.dense ? i - first : level.indices[i];
      visit(depth + 1, i);
    }
  }

  void write(uint64_t position) {
    uint64_t element = 0;
    for (size_t i = 0; i < rank_; ++i) {
      uint64_t at = at_[i];
      for (size_t b = 0; b < blocked_.size(); ++b) {
        if (blocked_[b] == i) at = at * expanded_[rank_ + b] + at_[rank_ + b];
      }
      element = element * static_cast<uint64_t>(tensor_.dims[i]) + at;
    }
    const size_t size = element_bytes(tensor_.dtype);
    std::memcpy(result_.data() + element * size, tensor_.data.data() + position * size, size);
  }

  const Context& context_;
  const Tensor& tensor_;
  size_t rank_;
  std::vector<uint64_t> blocked_;   // the dim of each block
  std::vector<uint64_t> expanded_;  // dims in blocks, and the blocks' own
  std::vector<Level> levels_;
  uint64_t elements_ = 1;
  uint64_t at_[16] = {};  // by expanded dim: rank 8 at most, and as many blocks
  std::vector<std::byte> result_;
};

}  // namespace

void densify(Context& context) {
  context.expect_operands(1, 1);
  const Tensor& tensor = context.tensor(0);
  if (tensor.sparsity == nullptr) return context.result(0, context.stored(0));
  const std::string where = "input " + describe(tensor) + " ";
  if (!tensor.unsupported.empty()) context.unsupported(where + tensor.unsupported);
  if (!tensor.constant) context.unsupported(where + "is not constant", "a constant");
  std::vector<std::byte> bytes = Densified(context, tensor).bytes();
  context.result(0, context.constant(tensor.dtype, tensor.dims, std::move(bytes)));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
