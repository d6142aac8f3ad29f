// Copies a constant element by element from its form to the strides of panels or rows.
#include "planner/steps/lower/packing.h"

#include <algorithm>
#include <cstring>

#include "planner/graph/four_bits.h"
#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

// Steps through all indices of `dims` in row-major order, keeping the offsets into two storages.
template <typename Visit>
void for_each_element(const Strided& from, const Strided& to, Visit visit) {
  if (element_count(from.dims) == 0) return;
  const size_t rank = from.dims.size();
  std::vector<uint32_t> index(rank);
  uint64_t source = from.offset, target = to.offset;
  while (true) {
    visit(source, target);
    size_t d = rank;
    for (; d > 0; --d) {
      source += from.strides[d - 1];
      target += to.strides[d - 1];
      if (++index[d - 1] < from.dims[d - 1]) break;
      source -= uint64_t{index[d - 1]} * from.strides[d - 1];
      target -= uint64_t{index[d - 1]} * to.strides[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

std::vector<std::byte> moved(const std::vector<std::byte>& bytes, uint32_t element,
                             const Strided& from, const Strided& to, uint64_t to_elements) {
  std::vector<std::byte> result(to_elements * element);
  if (same_elements(from, to) && bytes.size() == result.size()) return bytes;
  for_each_element(from, to, [&](uint64_t source, uint64_t target) {
    std::memcpy(result.data() + target * element, bytes.data() + source * element, element);
  });
  return result;
}

// Element (n, k) of a matrix lies at (n/16 * K + k) * 16 + n%16; k counts `inner` dims, the last
// fastest. Written as strides by splitting n into (n/16, n%16).
PackedConstant pack_panels(const std::vector<std::byte>& bytes, uint32_t element,
                           const Strided& form, uint32_t n_dim,
                           const std::vector<uint32_t>& inner) {
  uint64_t k_count = 1;
  for (const uint32_t d : inner) k_count *= form.dims[d];
  const uint32_t n_count = form.dims[n_dim];
  const uint64_t panels = (uint64_t{n_count} + kPanelWidth - 1) / kPanelWidth;

  PackedConstant result;
  result.form = form;
  result.form.offset = 0;
  result.form.layout = Layout::kPanel16;
  std::fill(result.form.strides.begin(), result.form.strides.end(), 0u);
  result.bytes.resize(panels * k_count * kPanelWidth * element);
  for (uint32_t n = 0; n < n_count; ++n) {
    Strided from = form, to = form;
    from.dims[n_dim] = to.dims[n_dim] = 1;
    from.offset += uint64_t{n} * form.strides[n_dim];
    to.offset = uint64_t{n / kPanelWidth} * k_count * kPanelWidth + n % kPanelWidth;
    std::fill(to.strides.begin(), to.strides.end(), 0u);
    uint64_t stride = kPanelWidth;
    for (size_t i = inner.size(); i-- > 0;) {
      to.strides[inner[i]] = static_cast<uint32_t>(stride);
      stride *= form.dims[inner[i]];
    }
    for_each_element(from, to, [&](uint64_t source, uint64_t target) {
      std::memcpy(result.bytes.data() + target * element, bytes.data() + source * element, element);
    });
  }
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

bool fits_four_bits(std::byte element, DType dtype) {
  const auto bits = std::to_integer<uint32_t>(element);
  return bits < (dtype == DType::kInt8 ? 8 : 16) || (dtype == DType::kInt8 && bits >= 0xf8);
}

// Two elements a byte, where all of them fit and that takes fewer bytes.
void pack_halves(PackedConstant& constant, DType dtype) {
  if (dtype != DType::kInt8 && dtype != DType::kUint8) return;
  const auto fits = [&](std::byte element) { return fits_four_bits(element, dtype); };
  std::vector<std::byte>& bytes = constant.bytes;
  if (bytes.size() < 2 || !std::all_of(bytes.begin(), bytes.end(), fits)) return;
  bytes = packed_halves(bytes);
  constant.form.layout = Layout::kPacked4;
}

PackedConstant pack_in_layout(const Node& node, uint32_t operand,
                              const std::vector<std::byte>& bytes, DType dtype, const Strided& form,
                              const Packings& packings) {
  const uint32_t element = element_bytes(dtype);
  const auto rank = static_cast<uint32_t>(form.dims.size());
  const auto ask = facts_of(node.op).weights;
  const Weights weights = operand == 1 && ask != nullptr ? ask(node) : Weights::kNone;
  const bool panels = weights != Weights::kNone && has(types::kFloat, dtype) &&
                      element_count(form.dims) != 0 && packings.take(operand, Layout::kPanel16);
  if (weights == Weights::kFilters || weights == Weights::kGroupedFilters) {
    std::vector<uint32_t> inner = spatial_dims(rank);
    if (weights == Weights::kFilters) {
      inner.push_back(1);
      if (panels) return pack_panels(bytes, element, form, 0, inner);
      inner.insert(inner.begin(), 0);
    } else if (form.dims[1] == 1) {
      inner.push_back(0);
      inner.push_back(1);
    } else {
      inner.insert(inner.begin(), 0);
      inner.push_back(1);
    }
    return pack_in_order(bytes, element, form, inner);
  }
  if (panels && weights == Weights::kMatrix && rank >= 2 &&
      std::all_of(form.dims.begin(), form.dims.end() - 2, [](uint32_t dim) { return dim == 1; })) {
    return pack_panels(bytes, element, form, rank - 1, {rank - 2});
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
  if (packings.take(operand, Layout::kPacked4)) pack_halves(constant, dtype);
  return constant;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
