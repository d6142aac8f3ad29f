// Arithmetic on dims and element strides: memory orders, spans, and which reshapes need no copy.
#include "planner/layout/strides.h"

#include <algorithm>
#include <numeric>

namespace arenite::planner {

Order row_major_order(uint32_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

Order channels_last_order(uint32_t rank) {
  Order order = row_major_order(rank);
  if (rank >= 3) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

Strided dense_in_order(const std::vector<uint32_t>& dims, const Order& order) {
  Strided result;
  result.dims = dims;
  result.strides.resize(dims.size());
  uint64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    result.strides[order[i]] = static_cast<uint32_t>(stride);
    stride *= std::max<uint32_t>(dims[order[i]], 1);
  }
  return result;
}

Order order_of(const Strided& form) {
  Order order;
  for (uint32_t d = 0; d < form.dims.size(); ++d) {
    if (form.dims[d] != 1) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return form.strides[a] > form.strides[b]; });
  for (uint32_t d = 0; d < form.dims.size(); ++d) {
    if (form.dims[d] != 1) continue;
    const auto before = d == 0 ? order.end() : std::find(order.begin(), order.end(), d - 1);
    order.insert(d == 0 ? order.begin() : before + 1, d);
  }
  return order;
}

uint64_t element_count(const std::vector<uint32_t>& dims) {
  uint64_t count = 1;
  for (const uint32_t dim : dims) count *= dim;
  return count;
}

uint64_t span_elements(const Strided& form) {
  uint64_t last = 0;
  for (size_t d = 0; d < form.dims.size(); ++d) {
    if (form.dims[d] == 0) return 0;
    last += uint64_t{form.dims[d] - 1} * form.strides[d];
  }
  return last + 1;
}

bool same_elements(const Strided& a, const Strided& b) {
  if (a.dims != b.dims || a.offset != b.offset || a.layout != b.layout) return false;
  if (element_count(a.dims) == 0) return true;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    if (a.dims[d] != 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

std::optional<Strided> reshape_in_place(const Strided& form, const std::vector<uint32_t>& dims) {
  Strided result = row_major(dims);
  result.offset = form.offset;
  if (element_count(dims) == 0) return result;

  // Only dims larger than 1 matter; those of the old form are joined and split as runs of equal
  // element counts.
  std::vector<uint32_t> old_dims, old_strides;
  for (size_t d = 0; d < form.dims.size(); ++d) {
    if (form.dims[d] == 1) continue;
    old_dims.push_back(form.dims[d]);
    old_strides.push_back(form.strides[d]);
  }
  size_t old = 0, now = 0;
  while (now < dims.size()) {
    if (dims[now] == 1) {
      ++now;
      continue;
    }
    const size_t old_first = old, now_first = now;
    uint64_t old_count = old_dims[old++], now_count = dims[now++];
    while (old_count != now_count) {
      if (old_count < now_count) {
        old_count *= old_dims[old++];
      } else {
        now_count *= dims[now++];
      }
    }
    for (size_t d = old_first; d + 1 < old; ++d) {
      if (old_strides[d] != uint64_t{old_dims[d + 1]} * old_strides[d + 1]) return std::nullopt;
    }
    uint64_t stride = old_strides[old - 1];
    for (size_t d = now; d-- > now_first;) {
      result.strides[d] = static_cast<uint32_t>(stride);
      stride *= dims[d];
    }
  }
  return result;
}

Strided transposed(const Strided& form, const std::vector<uint32_t>& permutation) {
  Strided result = form;
  for (size_t d = 0; d < permutation.size(); ++d) {
    result.dims[d] = form.dims[permutation[d]];
    result.strides[d] = form.strides[permutation[d]];
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
