// A program file, opened in place: const, may sit in flash, shared by any number of instances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/capabilities.h"
#include "core/format.h"
#include "core/status.h"
#include "core/step.h"

namespace arenite {

inline constexpr uint32_t kMaxSections = 16;

class Program {
 public:
  Program() = default;

  // Checks header, plan CRC and the bounds of every record; keeps pointers into `file`, which must
  // be 4-aligned (64-aligned for the constants' alignment to hold) and outlive the program.
  // Constants' CRCs are not checked here.
  static Status open(std::span<const std::byte> file, Program& program);

  // Checks CRCs of sections from (*section, *offset) on, over at most `budget` bytes; advances
  // both. Done when *section == section_count().
  Status verify_constants(uint32_t budget, uint32_t& section, uint32_t& offset) const;

  std::span<const std::byte> file() const { return file_; }
  const format::Header& header() const {
    return *reinterpret_cast<const format::Header*>(file_.data());
  }
  std::span<const format::SectionRecord> sections() const { return sections_; }
  std::span<const format::MethodRecord> methods() const { return methods_; }
  std::span<const format::VariantRecord> variants() const { return variants_; }
  std::span<const format::RequirementRecord> requirements() const { return requirements_; }
  std::span<const format::ArenaRecord> arenas() const { return arenas_; }
  std::span<const format::ValueRecord> values() const { return values_; }
  std::span<const format::StepRecord> steps() const { return steps_; }
  std::span<const format::ConstantRecord> constants() const { return constants_; }
  std::span<const uint32_t> shapes() const { return shapes_; }
  std::span<const uint32_t> operands() const { return operands_; }
  std::span<const uint32_t> attributes() const { return attributes_; }
  std::span<const uint32_t> io() const { return io_; }
  std::string_view string(uint32_t offset, uint32_t bytes) const {
    return std::string_view(reinterpret_cast<const char*>(strings_.data()) + offset, bytes);
  }
  // The bytes of the first section of a kind; empty when there is none.
  std::span<const std::byte> section(format::SectionKind kind) const;

  Result<uint32_t> find_method(std::string_view name) const;

  // The records of one variant (index into variants()).
  std::span<const format::ArenaRecord> arenas_of(const format::VariantRecord& v) const {
    return arenas_.subspan(v.arena_first, v.arena_count);
  }
  std::span<const format::ValueRecord> values_of(const format::VariantRecord& v) const {
    return values_.subspan(v.value_first, v.value_count);
  }
  std::span<const format::StepRecord> steps_of(const format::VariantRecord& v) const {
    return steps_.subspan(v.step_first, v.step_count);
  }

  // The first variant from `from` on (relative to the method) whose requirements `have` meets,
  // relative to the method; kNoUsableVariant (value = the requirement first missed) when there is
  // none.
  Result<uint32_t> choose_variant(uint32_t method, const Capabilities& have,
                                  uint32_t from = 0) const;

 private:
  std::span<const std::byte> file_;
  std::span<const format::SectionRecord> sections_;
  std::span<const format::MethodRecord> methods_;
  std::span<const format::VariantRecord> variants_;
  std::span<const format::RequirementRecord> requirements_;
  std::span<const format::ArenaRecord> arenas_;
  std::span<const format::ValueRecord> values_;
  std::span<const format::StepRecord> steps_;
  std::span<const format::ConstantRecord> constants_;
  std::span<const uint32_t> shapes_, operands_, attributes_, io_;
  std::span<const std::byte> strings_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
