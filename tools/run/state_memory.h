// Memory that holds the states of a program whose methods share some: of all its methods, so that
// runners of several may have it in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"

namespace arenite::tools {

// The methods of the program share states: their arenas of states are one memory.
bool shares_states(const Program& program);

class StateMemory {
 public:
  // For the variants of `program` that were planned for the board of one, by its index.
  StateMemory(const Program& program, uint32_t variant);

  const std::string& board() const { return board_; }  // printable
  // Where the arena of states of such a variant lies.
  std::span<std::byte> arena(const format::ArenaRecord& arena) { return bytes_.first(arena.bytes); }
  // Loading a method fills its states. Gives those that other methods had before it what they held,
  // `before`: a copy() of that time.
  void restore(std::span<const std::byte> before);
  std::vector<std::byte> copy() const;
  // The method is loaded: its states hold something from now on.
  void add_method(const Program& program, uint32_t method, uint32_t variant);
  bool has_method(uint32_t method) const { return methods_.contains(method); }

 private:
  std::string board_;
  std::vector<std::max_align_t> memory_;
  std::span<std::byte> bytes_;
  std::set<uint32_t> methods_;
  std::map<uint32_t, uint32_t> had_;  // bytes by offset
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
