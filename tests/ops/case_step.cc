// Lays a case's operands out in memory and reads results back.
#include "tests/ops/case_step.h"

#include <algorithm>
#include <memory>
#include <numeric>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) \
  (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) \
  (static_cast<void>(address), static_cast<void>(size))
#endif

namespace arenite::ops_test {
namespace {

constexpr uint32_t kGuardBytes = 64;

uint32_t round_up(size_t bytes, uint32_t to) {
  return static_cast<uint32_t>((bytes + to - 1) / to * to);
}

// Those of an operand that lies in some.
Blocks blocks_of(const Operand& operand) {
  const bool panels = operand.layout == Layout::kPanel16;
  return with_bits(panels ? kPanel16Blocks : operand.blocks, element_bytes(operand.dtype));
}

bool is_repeated(const Operand& operand, uint32_t d) { return (operand.repeated >> d & 1u) != 0; }

// Calls f(number, offset) for each element of a tensor with strides. What tests of operators do
// most: the elements of a line are found by one sum for all of them.
template <typename F>
void for_each_strided(const std::vector<uint32_t>& dims, const uint32_t* strides, F f) {
  if (dims.empty()) return f(uint64_t{0}, uint32_t{0});
  const std::vector<uint32_t> lines(dims.begin(), dims.end() - 1);
  const size_t last = lines.size();
  for_each_index(lines, [&](uint64_t line, const Index& index) {
    uint32_t offset = 0;
    for (size_t d = 0; d < last; ++d) offset += index[d] * strides[d];
    for (uint32_t i = 0; i < dims[last]; ++i) f(line * dims[last] + i, offset + i * strides[last]);
  });
}

}  // namespace

bool has_filters(Op op) {
  return op == Op::kConv || op == Op::kConv3d || op == Op::kConvTranspose ||
         op == Op::kPointwiseDepthwise || op == Op::kQuantizedConv || op == Op::kQuantizedConvAdd ||
         op == Op::kQuantizedConvLookup || op == Op::kQuantizedConvTranspose ||
         op == Op::kQuantizedPointwiseDepthwise;
}

PanelShape panel_shape(Op op, const Operand& operand) {
  const std::vector<uint32_t>& dims = operand.dims;
  if (has_filters(op)) {
    return {dims[0], std::accumulate(dims.begin() + 1, dims.end(), 1u, std::multiplies<>())};
  }
  return {dims[dims.size() - 1], dims[dims.size() - 2]};
}

Stored storage_of(Op op, const Operand& operand) {
  const auto rank = static_cast<uint32_t>(operand.dims.size());
  const uint32_t size = element_bytes(operand.dtype);
  Stored stored;
  stored.strides.resize(rank);
  stored.bits = operand.layout == Layout::kPacked4 ? 4 : 8 * size;
  if (in_blocks(operand.layout)) {
    const Blocks blocks = blocks_of(operand);
    const PanelShape shape = panel_shape(op, operand);
    stored.elements = round_up(shape.n, blocks.n) * round_up(shape.k, blocks.k);
    stored.bits = blocks.bits;
    if (operand.layout == Layout::kBlocked) {
      stored.strides[has_filters(op) ? 0 : rank - 1] = word_of(blocks);
    }
    return stored;
  }
  std::vector<uint32_t> order = operand.order;
  if (order.empty()) {
    order.resize(rank);
    std::iota(order.begin(), order.end(), 0u);
  }
  uint32_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    const uint32_t d = order[i];
    if (is_repeated(operand, d)) continue;
    stored.strides[d] = stride;
    stride *= operand.dims[d] + operand.margin;
  }
  stored.elements = count_of(operand.dims) == 0 ? 0 : 1;
  for (uint32_t d = 0; d < rank && stored.elements != 0; ++d) {
    stored.elements += (operand.dims[d] - 1) * stored.strides[d];
  }
  return stored;
}

CaseStep::CaseStep(const OpCase& c, std::byte fill)
    : case_(c), fill_(fill), attributes_(c.attributes) {
  image_.resize(kGuardBytes, fill_);
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i].absent) {
      operands_.push_back(kNoIndex);
      continue;
    }
    const Numbers contents = contents_of(c, i);
    add_value(c.inputs[i], &contents);
  }
  for (const Operand& output : c.outputs) add_value(output, nullptr);
  record_.op = static_cast<uint16_t>(c.op);
  record_.where = static_cast<uint8_t>(format::Where::kCpu);
  record_.input_count = static_cast<uint16_t>(c.inputs.size());
  record_.output_count = static_cast<uint8_t>(c.outputs.size());
  record_.attribute_words = static_cast<uint16_t>(c.attributes.size());

  constexpr uint32_t kAlignment = 64;
  memory_.resize(image_.size() + kAlignment);
  void* base = memory_.data();
  size_t room = memory_.size();
  std::align(kAlignment, image_.size(), base, room);
  arena_base_ = static_cast<std::byte*>(base);
  arena_ = {arena_base_, image_.size()};
  std::copy(image_.begin(), image_.end(), arena_.begin());
  before_ = std::move(image_);
}

CaseStep::~CaseStep() { set_poison(false); }

void CaseStep::restore() { std::copy(before_.begin(), before_.end(), arena_.begin()); }

void CaseStep::add_value(const Operand& operand, const Numbers* contents) {
  const Stored stored = storage_of(case_.op, operand);
  const uint32_t size = element_bytes(operand.dtype);
  format::ValueRecord value{};
  value.dtype = static_cast<uint8_t>(operand.dtype);
  value.rank = static_cast<uint8_t>(operand.dims.size());
  value.layout = static_cast<uint8_t>(operand.layout);
  value.shape = static_cast<uint32_t>(shapes_.size());
  value.offset = static_cast<uint32_t>(image_.size());
  value.bytes = (stored.elements * stored.bits + 7) / 8;
  shapes_.insert(shapes_.end(), operand.dims.begin(), operand.dims.end());
  shapes_.insert(shapes_.end(), stored.strides.begin(), stored.strides.end());
  operands_.push_back(static_cast<uint32_t>(values_.size()));
  values_.push_back(value);
  image_.resize(round_up(image_.size() + value.bytes, kGuardBytes) + kGuardBytes, fill_);
  if (contents == nullptr) return;
  std::byte* data = image_.data() + value.offset;
  if (operand.layout != Layout::kStrided) std::fill(data, data + value.bytes, std::byte{0});
  const auto number = static_cast<uint32_t>(values_.size()) - 1;
  const auto put = [&](uint64_t i, uint32_t offset) {
    std::byte* at = data + size_t{offset} * stored.bits / 8;
    std::byte element[8];
    encode(operand.dtype, contents->values[i], element);
    if (stored.bits == 4) {
      *at |= (element[0] & std::byte{0xf}) << (offset % 2 * 4);
    } else {
      std::copy(element, element + size, at);
      const bool negative = operand.dtype == DType::kInt8 && contents->values[i] < 0;
      if (stored.bits > 8 * size) at[1] = negative ? std::byte{0xff} : std::byte{0};
    }
  };
  if (!in_blocks(operand.layout)) {
    return for_each_strided(operand.dims, stored.strides.data(), put);
  }
  for_each_index(operand.dims,
                 [&](uint64_t i, const Index& index) { put(i, block_offset(number, index)); });
}

uint32_t CaseStep::block_offset(uint32_t value, const Index& index) const {
  const format::ValueRecord& record = values_[value];
  const uint32_t* dims = shapes_.data() + record.shape;
  const uint32_t rank = record.rank;
  const bool conv = has_filters(case_.op);
  const uint32_t n = conv ? index[0] : index[rank - 1];
  uint32_t inner = conv ? dims[1] : dims[rank - 2];
  uint32_t k = conv ? 0 : index[rank - 2];
  for (uint32_t d = 2; d < rank && conv; ++d) {
    k = k * dims[d] + index[d];
    inner *= dims[d];
  }
  if (conv) k = k * dims[1] + index[1];
  const bool panels = record.layout == static_cast<uint8_t>(Layout::kPanel16);
  const uint32_t word = dims[rank + (conv ? 0 : rank - 1)];
  const Blocks blocks = panels ? kPanel16Blocks : blocks_of_word(word);
  const uint32_t across = (inner + blocks.k - 1) / blocks.k;
  const uint32_t block = n / blocks.n * across + k / blocks.k;
  return (block * blocks.n + n % blocks.n) * blocks.k + k % blocks.k;
}

Bindings CaseStep::bindings() const {
  Bindings bindings;
  bindings.values = other_values_ != nullptr ? other_values_ : values_.data();
  bindings.shapes = shapes_.data();
  bindings.operands = operands_.data();
  bindings.attributes = attributes_.data();
  bindings.arenas = other_arenas_ != nullptr ? other_arenas_ : &arena_base_;
  return bindings;
}

void CaseStep::lie_elsewhere(const format::ValueRecord* values, std::byte* const* arenas) {
  other_values_ = values;
  other_arenas_ = arenas;
}

std::span<uint32_t> CaseStep::shape(uint32_t i) {
  return {shapes_.data() + values_[i].shape, size_t{values_[i].rank} * 2};
}

void CaseStep::set_poison(bool on) const {
  uint32_t at = 0;
  const auto mark = [&](uint32_t end) {
    if (on) {
      ASAN_POISON_MEMORY_REGION(arena_base_ + at, end - at);
    } else {
      ASAN_UNPOISON_MEMORY_REGION(arena_base_ + at, end - at);
    }
  };
  for (const format::ValueRecord& value : values_) {
    mark(value.offset);
    at = value.offset + value.bytes;
  }
  mark(static_cast<uint32_t>(arena_.size()));
}

Numbers CaseStep::output(uint32_t i) const {
  const Operand& operand = case_.outputs[i];
  const uint32_t value = operands_[case_.inputs.size() + i];
  const uint32_t size = element_bytes(operand.dtype);
  Numbers numbers = {operand.dtype, operand.dims, {}};
  numbers.values.resize(count_of(operand.dims));
  const format::ValueRecord& record = values_[value];
  const std::byte* from = arena_base_ + record.offset;
  const uint32_t* strides = shapes_.data() + record.shape + record.rank;
  for_each_strided(operand.dims, strides, [&](uint64_t p, uint32_t offset) {
    numbers.values[p] = decode(operand.dtype, from + size_t{offset} * size);
  });
  return numbers;
}

std::string CaseStep::damage() const {
  std::vector<bool> may_change(arena_.size());
  for (size_t i = 0; i < case_.outputs.size(); ++i) {
    const Operand& operand = case_.outputs[i];
    const format::ValueRecord& record = values_[operands_[case_.inputs.size() + i]];
    const auto first = may_change.begin() + record.offset;
    const uint32_t size = element_bytes(operand.dtype);
    if (count_of(operand.dims) * size == record.bytes) {  // without gaps
      std::fill_n(first, record.bytes, true);
      continue;
    }
    const uint32_t* strides = shapes_.data() + record.shape + record.rank;
    for_each_strided(operand.dims, strides, [&](uint64_t, uint32_t offset) {
      std::fill_n(first + offset * size, size, true);
    });
  }
  for (size_t b = 0; b < arena_.size(); ++b) {
    if (arena_[b] != before_[b] && !may_change[b]) {
      return "byte " + std::to_string(b) + " of the arena changed, which is no output's";
    }
  }
  return {};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
