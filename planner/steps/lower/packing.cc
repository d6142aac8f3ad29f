// Copies a constant element by element from its form to blocks or the strides of rows.
#include "planner/steps/lower/packing.h"

#include <algorithm>
#include <cstring>

#include "planner/graph/four_bits.h"
#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

std::vector<std::byte> moved(const std::vector<std::byte>& bytes, uint32_t element,
                             const Strided& from, const Strided& to, uint64_t to_elements) {
  std::vector<std::byte> result(to_elements * element);
  if (same_elements(from, to) && bytes.size() == result.size()) return bytes;
  for_each_element(from, to, [&](uint64_t source, uint64_t target) {
    std::memcpy(result.data() + target * element, bytes.data() + source * element, element);
  });
  return result;
}

bool is_byte(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUint8; }

// Whether elements may lie in such blocks. Panels are for floats.
bool may_lie(const Blocks& blocks, const std::vector<std::byte>& bytes, DType dtype) {
  const uint32_t element = element_bytes(dtype);
  if (blocks == kPanel16Blocks) return has(types::kFloat, dtype);
  const bool own_width = blocks.bits == 8 * element;
  if (!fits(blocks.bits, element) || !(own_width || is_byte(dtype))) return false;
  return blocks.bits != 4 || fit_four_bits(bytes, dtype);
}

// Writes one element, `width` bits wide, to a place among such.
void put_element(const std::byte* from, DType dtype, uint32_t width, size_t place,
                 std::vector<std::byte>& to) {
  const uint32_t element = element_bytes(dtype);
  if (width == 4) {
    to[place / 2] |= (*from & std::byte{0xf}) << (place % 2 * 4);
    return;
  }
  std::memcpy(to.data() + place * (width / 8), from, element);
  const bool negative = dtype == DType::kInt8 && *from >= std::byte{0x80};
  if (width > 8 * element && negative) to[place * (width / 8) + 1] = std::byte{0xff};
}

// The outputs are dim `n_dim`; their indices count `inner` dims, the last fastest.
PackedConstant pack_blocks(const std::vector<std::byte>& bytes, DType dtype, const Strided& form,
                           const Blocks& wanted, uint32_t n_dim,
                           const std::vector<uint32_t>& inner) {
  Strided rows = form;  // as if each output's elements lay side by side
  rows.offset = 0;
  uint32_t depth = 1;
  for (size_t i = inner.size(); i-- > 0;) {
    rows.strides[inner[i]] = depth;
    depth *= form.dims[inner[i]];
  }
  rows.strides[n_dim] = depth;

  const Blocks blocks = with_bits(wanted, element_bytes(dtype));
  PackedConstant result;
  result.form = form;
  result.form.offset = 0;
  result.form.layout = layout_of(wanted);
  std::fill(result.form.strides.begin(), result.form.strides.end(), 0u);
  if (result.form.layout == Layout::kBlocked) result.form.strides[n_dim] = word_of(blocks);
  result.bytes.resize((bits_of(blocks, form.dims[n_dim], depth) + 7) / 8);
  for_each_element(form, rows, [&](uint64_t source, uint64_t row_element) {
    const auto n = static_cast<uint32_t>(row_element / depth);
    const auto k = static_cast<uint32_t>(row_element % depth);
    put_element(bytes.data() + source * element_bytes(dtype), dtype, blocks.bits,
                place_of(blocks, depth, n, k), result.bytes);
  });
  return result;
}

std::vector<uint32_t> spatial_dims(uint32_t rank) {
  std::vector<uint32_t> dims;
  for (uint32_t d = 2; d < rank; ++d) dims.push_back(d);
  return dims;
}

PackedConstant pack_in_order(const std::vector<std::byte>& bytes, uint32_t element,
                             const Strided& form, const Order& order) {
  PackedConstant result;
  result.form = dense_in_order(form.dims, order);
  result.bytes = moved(bytes, element, form, result.form, element_count(form.dims));
  return result;
}

// Two elements a byte, where all of them fit and that takes fewer bytes.
void pack_halves(PackedConstant& constant, DType dtype) {
  if (!is_byte(dtype)) return;
  std::vector<std::byte>& bytes = constant.bytes;
  if (bytes.size() < 2 || !fit_four_bits(bytes, dtype)) return;
  bytes = packed_halves(bytes);
  constant.form.layout = Layout::kPacked4;
}

PackedConstant pack_in_layout(const Node& node, uint32_t operand,
                              const std::vector<std::byte>& bytes, DType dtype, const Strided& form,
                              const Packings& packings) {
  const uint32_t element = element_bytes(dtype);
  const auto rank = static_cast<uint32_t>(form.dims.size());
  const auto ask = facts_of(node.op).weights;
  const Weights weights = operand == kWeightsInput && ask != nullptr ? ask(node) : Weights::kNone;
  const bool in_blocks = packings.blocks.n != 0 && element_count(form.dims) != 0 &&
                         may_lie(packings.blocks, bytes, dtype);
  if (weights == Weights::kFilters || weights == Weights::kGroupedFilters) {
    std::vector<uint32_t> inner = spatial_dims(rank);
    if (weights == Weights::kFilters) {
      inner.push_back(1);
      if (in_blocks) return pack_blocks(bytes, dtype, form, packings.blocks, 0, inner);
      inner.insert(inner.begin(), 0);
    } else if (in_blocks && is_byte(dtype)) {
      // Integers of groups lie as if one group had all outputs.
      inner.push_back(1);
      return pack_blocks(bytes, dtype, form, packings.blocks, 0, inner);
    } else if (form.dims[1] == 1) {
      inner.push_back(0);
      inner.push_back(1);
    } else if (in_blocks && packings.blocks == kPanel16Blocks) {
      // Floats of all groups are vectors of outputs, as those of panels: no panel may be of two
      // groups, and what would fill it up would be most of some.
      inner.push_back(1);
      inner.push_back(0);
    } else {
      inner.insert(inner.begin(), 0);
      inner.push_back(1);
    }
    return pack_in_order(bytes, element, form, inner);
  }
  if (in_blocks && weights == Weights::kMatrix && rank >= 2 &&
      std::all_of(form.dims.begin(), form.dims.end() - 2, [](uint32_t dim) { return dim == 1; })) {
    return pack_blocks(bytes, dtype, form, packings.blocks, rank - 1, {rank - 2});
  }
  Order order = row_major_order(rank);
  // Integers are summed along the inner dim, many at once.
  if (weights == Weights::kMatrix && !has(types::kFloat, dtype) && rank >= 2) {
    std::swap(order[rank - 2], order[rank - 1]);
  }
  return pack_in_order(bytes, element, form, order);
}

}  // namespace

PackedConstant pack_constant(const Node& node, uint32_t operand,
                             const std::vector<std::byte>& bytes, DType dtype, const Strided& form,
                             const Packings& packings) {
  PackedConstant constant = pack_in_layout(node, operand, bytes, dtype, form, packings);
  const bool halves = operand == kWeightsInput && packings.take(Layout::kPacked4);
  if (halves) pack_halves(constant, dtype);
  return constant;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
