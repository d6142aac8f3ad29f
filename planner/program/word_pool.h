// Lists of words in a program's table, each content stored once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace arenite::planner {

class WordPool {
 public:
  explicit WordPool(std::vector<uint32_t>& table) : table_(table) {}

  // Returns the index of the list's first word in the table. `meaning`: what the words stand for
  // besides; lists that differ in it are stored apart.
  uint32_t add(const std::vector<uint32_t>& list, const std::vector<uint32_t>& meaning = {}) {
    const auto [it, added] =
        known_.emplace(std::pair(list, meaning), static_cast<uint32_t>(table_.size()));
    if (added) table_.insert(table_.end(), list.begin(), list.end());
    return it->second;
  }

 private:
  std::vector<uint32_t>& table_;
  std::map<std::pair<std::vector<uint32_t>, std::vector<uint32_t>>, uint32_t> known_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
