// Splits a form into digits, one for each dim of a dense storage, and joins them into other dims.
#include "planner/graph/strides.h"

#include <algorithm>
#include <numeric>

namespace arenite::planner {
namespace {

// A dim that counts elements of a dense storage, and how far apart they are elsewhere.
struct Digit {
  uint64_t radix = 1;
  uint64_t weight = 1;  // elements of the dense storage from one to the next
  uint64_t stride = 1;  // the same elsewhere
};

// The dims of `from` from inside to outside; those that follow each other in both forms are one.
// Nothing when `from` is not dense from offset 0.
std::optional<std::vector<Digit>> digits_of(const Strided& from, const Strided& to) {
  std::vector<size_t> order;
  for (size_t d = 0; d < from.dims.size(); ++d) {
    if (from.dims[d] != 1) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return from.strides[a] < from.strides[b]; });
  std::vector<Digit> digits;
  uint64_t weight = 1;
  for (const size_t d : order) {
    if (from.strides[d] != weight) return std::nullopt;
    const bool joins =
        !digits.empty() && to.strides[d] == digits.back().stride * digits.back().radix;
    if (joins) {
      digits.back().radix *= from.dims[d];
    } else {
      digits.push_back({from.dims[d], weight, to.strides[d]});
    }
    weight *= from.dims[d];
  }
  return from.offset == 0 ? std::optional(std::move(digits)) : std::nullopt;
}

}  // namespace

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

std::optional<Strided> moved_along(const Strided& view, const Strided& from, const Strided& to) {
  const std::optional<std::vector<Digit>> digits = digits_of(from, to);
  if (!digits.has_value() || view.layout != Layout::kStrided) return std::nullopt;
  Strided result = view;
  result.offset = to.offset;
  const bool empty = element_count(view.dims) == 0;
  for (const Digit& digit : *digits) {
    result.offset += view.offset / digit.weight % digit.radix * digit.stride;
  }
  std::vector<uint64_t> strides(view.dims.size(), 0);
  for (const Digit& digit : *digits) {
    // No index of the view may carry into the next digit.
    uint64_t largest = view.offset / digit.weight % digit.radix;
    for (size_t d = 0; d < view.dims.size(); ++d) {
      const uint64_t step = view.strides[d] / digit.weight % digit.radix;
      strides[d] += step * digit.stride;
      if (view.dims[d] > 1) largest += (view.dims[d] - 1) * step;
    }
    if (!empty && largest >= digit.radix) return std::nullopt;
  }
  for (size_t d = 0; d < view.dims.size(); ++d) {
    // Nobody steps over a dim of 1; a stride there keeps falling with the others.
    result.strides[d] =
        view.dims[d] == 1 && strides[d] == 0 ? view.strides[d] : static_cast<uint32_t>(strides[d]);
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
