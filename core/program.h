// A program file, opened in place: const, may sit in flash, shared by any number of instances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/capabilities.h"
#include "core/checksum.h"
#include "core/format.h"
#include "core/records.h"
#include "core/status.h"
#include "core/step.h"

namespace arenite {

inline constexpr uint32_t kMaxSections = 16;
inline constexpr uint32_t kMaxArenas = 16;  // of a variant
inline constexpr uint32_t kMaxIo = 1024;    // inputs of a method, and outputs

// The part of a program file that Program::open gets.
enum class FilePart : uint32_t {
  kWhole,
  kPlan,  // at least header and plan; sections that it does not hold wholly are not addressable
};

// The progress of Program::verify_constants.
struct ConstantsCursor {
  uint32_t section = 0;
  uint32_t offset = 0;  // bytes of the section that `sum` covers
  uint32_t sum = kChecksumStart;
};

// The functions that prove programs: core/verify.h. Constant where it is defined.
struct Verification;
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const Verification kVerification;

// One table of the plan, in place.
struct TableView {
  const std::byte* data = nullptr;
  uint32_t count = 0;  // records
};

class Program {
 public:
  Program() = default;

  // Checks header, plan checksum and every index of every record, so that the accessors below can
  // be followed blindly; keeps pointers into `file`, which must be 4-aligned (64-aligned for the
  // constants' alignment to hold) and outlive the program; bytes after the file's own are ignored.
  // Constants' checksums are not checked here; what values and steps mean is checked by
  // Instance::load. `program` is as new when an error is returned. Errors: kTruncated to kBadValue
  // of Code. Without a verification (null) indices are believed: of a program that the same image
  // holds.
  static Status open(std::span<const std::byte> file, Program& program,
                     FilePart part = FilePart::kWhole,
                     const Verification* verification = &kVerification);

  // Gives the file that the program's external constants lie in, 64-aligned, which must outlive it;
  // before any instance is loaded. Its content is not read: verify_constants checks it. Errors:
  // kUnsupported (the program has no such constants), kBadAlignment, kTruncated, kBadMagic,
  // kBadVersion, kBadChecksum (of the header), kWrongConstants (another file).
  Status attach_constants(std::span<const std::byte> file);

  // Checks the sections from `cursor` on (a new cursor starts at the first), over at most `budget`
  // bytes (4 at least): their checksums, and that bytes between them are zeros. Advances the
  // cursor. Done when cursor.section == sections().size() after a call. Together with open this
  // checks every byte of the file but a signature's: see core/signature.h. Errors, value = the
  // section, or kNoIndex behind the last one: kBadChecksum, kTruncated (not addressable), kBadRange
  // (sections lie in another order, or further apart than their alignment asks).
  Status verify_constants(uint32_t budget, ConstantsCursor& cursor) const;

  // Identifies all bytes that open and verify_constants check: the header's checksum, which the
  // writer makes last. Two programs have the same digest in about one case in 2^32.
  uint32_t digest() const { return header().header_checksum; }

  // The bytes of the file, or of the part that was given.
  std::span<const std::byte> file() const { return file_; }
  const format::Header& header() const {
    return *static_cast<const format::Header*>(static_cast<const void*>(file_.data()));
  }
  // Records of a table, and all of its words.
  uint32_t count(format::Table which) const { return view(which).count; }
  const uint32_t* words(format::Table which) const { return table<uint32_t>(which).data(); }
  Records<format::SectionRecord> sections() const {
    return table<format::SectionRecord>(format::Table::kSections);
  }
  Records<format::MethodRecord> methods() const {
    return table<format::MethodRecord>(format::Table::kMethods);
  }
  Records<format::VariantRecord> variants() const {
    return table<format::VariantRecord>(format::Table::kVariants);
  }
  Records<format::RequirementRecord> requirements() const {
    return table<format::RequirementRecord>(format::Table::kRequirements);
  }
  Records<format::ArenaRecord> arenas() const {
    return table<format::ArenaRecord>(format::Table::kArenas);
  }
  Records<format::ValueRecord> values() const {
    return table<format::ValueRecord>(format::Table::kValues);
  }
  Records<format::StepRecord> steps() const {
    return table<format::StepRecord>(format::Table::kSteps);
  }
  Records<format::ConstantRecord> constants() const {
    return table<format::ConstantRecord>(format::Table::kConstants);
  }
  Records<format::StateRecord> states() const {
    return table<format::StateRecord>(format::Table::kStates);
  }
  Records<format::PredicateRecord> predicates() const {
    return table<format::PredicateRecord>(format::Table::kPredicates);
  }
  Records<format::SymbolRecord> symbols() const {
    return table<format::SymbolRecord>(format::Table::kSymbols);
  }
  Records<format::SymbolicVariantRecord> symbolic_variants() const {
    return table<format::SymbolicVariantRecord>(format::Table::kSymbolicVariants);
  }
  Records<format::ExpressionRecord> expressions() const {
    return table<format::ExpressionRecord>(format::Table::kExpressions);
  }
  Records<format::PatchRecord> patches() const {
    return table<format::PatchRecord>(format::Table::kPatches);
  }
  // The scale of an input or output, inputs counted first; null where it is not quantized.
  const format::QuantizationRecord* quantization_of(uint32_t method, uint32_t io) const {
    for (const format::QuantizationRecord& record : quantization()) {
      if (record.method == method && record.io == io) return &record;
    }
    return nullptr;
  }
  Records<format::QuantizationRecord> quantization() const {
    return table<format::QuantizationRecord>(format::Table::kQuantization);
  }
  Records<format::ConstantFileRecord> constant_files() const {
    return table<format::ConstantFileRecord>(format::Table::kConstantFiles);
  }
  std::span<const uint32_t> shapes() const { return span<uint32_t>(format::Table::kShapes); }
  std::span<const uint32_t> operands() const { return span<uint32_t>(format::Table::kOperands); }
  std::span<const uint32_t> attributes() const {
    return span<uint32_t>(format::Table::kAttributes);
  }
  std::span<const uint32_t> io() const { return span<uint32_t>(format::Table::kIo); }
  Records<format::DescriptorSetRecord> descriptor_sets() const {
    return table<format::DescriptorSetRecord>(format::Table::kDescriptorSets);
  }
  std::span<const std::byte> strings() const { return span<std::byte>(format::Table::kStrings); }
  std::string_view string(uint32_t offset, uint32_t bytes) const {
    return std::string_view(reinterpret_cast<const char*>(strings().data()) + offset, bytes);
  }
  // The bytes of a section; empty when it is not addressable.
  std::span<const std::byte> section_bytes(uint32_t section) const;
  // The bytes of the first section of a kind; empty when there is none.
  std::span<const std::byte> section(format::SectionKind kind) const;

  // The method's index, or kNoSuchMethod.
  Result<uint32_t> find_method(std::string_view name) const;

  // The records of one variant (one of variants()).
  Records<format::ArenaRecord> arenas_of(const format::VariantRecord& v) const {
    return {arenas().data() + v.arena_first, v.arena_count};
  }
  Records<format::ValueRecord> values_of(const format::VariantRecord& v) const {
    return {values().data() + v.value_first, v.value_count};
  }
  Records<format::StepRecord> steps_of(const format::VariantRecord& v) const {
    return {steps().data() + v.step_first, v.step_count};
  }
  Records<format::RequirementRecord> requirements_of(const format::VariantRecord& v) const {
    return {requirements().data() + v.requirement_first, v.requirement_count};
  }
  Records<format::DescriptorSetRecord> descriptor_sets_of(const format::VariantRecord& v) const {
    return {descriptor_sets().data() + v.descriptor_set_first, v.descriptor_set_count};
  }
  // Value indices, relative to the variant (one of the method's).
  std::span<const uint32_t> inputs_of(const format::MethodRecord& m,
                                      const format::VariantRecord& v) const {
    return {io().data() + v.io_first, m.input_count};
  }
  std::span<const uint32_t> outputs_of(const format::MethodRecord& m,
                                       const format::VariantRecord& v) const {
    return {io().data() + v.io_first + m.input_count, m.output_count};
  }
  // The tables of one variant; sections and arenas are the caller's to add.
  Bindings bindings_of(const format::VariantRecord& v) const {
    return {values_of(v).data(),
            shapes().data(),
            operands().data(),
            attributes().data(),
            constants().data(),
            nullptr,
            nullptr};
  }

  // The first variant from `from` on (relative to the method) whose requirements `have` meets,
  // relative to the method. Errors: kNoSuchMethod; kNoUsableVariant (value = the index in
  // requirements() that the first variant looked at misses, kNoIndex when there was none to look
  // at).
  Result<uint32_t> choose_variant(uint32_t method, const Capabilities& have,
                                  uint32_t from = 0) const;

 private:
  Status read(std::span<const std::byte> file, FilePart part, const Verification* verification);
  Status check_padding(uint32_t section) const;
  Code fault_of_padding(uint32_t from, uint32_t to) const;
  const TableView& view(format::Table which) const {
    return tables_[static_cast<uint32_t>(which) - format::kFirstTable];
  }
  template <typename T>
  Records<T> table(format::Table which) const {
    return {static_cast<const T*>(static_cast<const void*>(view(which).data)), view(which).count};
  }

  template <typename T>
  std::span<const T> span(format::Table which) const {
    const Records<T> all = table<T>(which);
    return {all.data(), all.size()};
  }

  std::span<const std::byte> file_;
  std::span<const std::byte> constant_file_;
  TableView tables_[format::kTableSlots] = {};  // by field number, from the first table on
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
