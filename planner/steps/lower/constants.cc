// Finds equal contents by a hash of the bytes.
#include "planner/steps/lower/constants.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace arenite::planner {

uint32_t ConstantPool::add(std::vector<std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const uint64_t hash = std::hash<std::string_view>{}(text);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (entries_[it->second].bytes == bytes) return it->second;
  }
  const auto index = static_cast<uint32_t>(entries_.size());
  entries_.push_back({std::move(bytes), 0, {}, {}});
  by_hash_.emplace(hash, index);
  return index;
}

void ConstantPool::need_over_read(uint32_t index, uint32_t bytes) {
  entries_[index].over_read_bytes = std::max(entries_[index].over_read_bytes, bytes);
}

void ConstantPool::set_name(uint32_t index, const std::string& name,
                            const std::vector<uint32_t>& dims) {
  StoredConstant& constant = entries_[index];
  if (!constant.name.empty()) return;
  constant.name = name;
  constant.dims = dims;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
