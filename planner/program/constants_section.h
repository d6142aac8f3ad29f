// The section of a program that holds its constants, each on a 64-byte boundary.
#pragma once

#include <span>

#include "planner/program/writer.h"

namespace arenite::planner {

// Adds constants one after another; `finish` stores the section.
class ConstantsSection {
 public:
  // The section gets the next index of tables.sections, so finish() must come before any other
  // section is added.
  explicit ConstantsSection(ProgramTables& tables)
      : tables_(tables), section_(static_cast<uint32_t>(tables.sections.size())) {}

  // Adds the bytes and then `zeros` zeros; returns where in the section. Throws InputError past 4
  // GiB.
  uint32_t add(std::span<const std::byte> bytes, uint32_t zeros);
  void finish();
  // The section's index.
  uint8_t index() const { return static_cast<uint8_t>(section_); }

 private:
  ProgramTables& tables_;
  uint32_t section_;
  bool any_ = false;
  std::vector<std::byte> bytes_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
