// The constants of a program, each content stored once however many values and boards use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace arenite::planner {

struct StoredConstant {
  std::vector<std::byte> bytes;
  uint32_t over_read_bytes = 0;  // zeros behind them that forms may read
  // For people: of the first value with this content, and its logical dims.
  std::string name;
  std::vector<uint32_t> dims;
};

class ConstantPool {
 public:
  // The index of the constant with these bytes, which is new or one added before.
  uint32_t add(std::vector<std::byte> bytes);
  void need_over_read(uint32_t index, uint32_t bytes);
  // Kept where the constant has no name yet.
  void set_name(uint32_t index, const std::string& name, const std::vector<uint32_t>& dims);

  const std::vector<StoredConstant>& entries() const { return entries_; }

 private:
  std::vector<StoredConstant> entries_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
