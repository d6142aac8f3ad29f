// Builds small programs by hand, one record at a time, for tests of the loader and the executor.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "planner/program/writer.h"

namespace arenite::tests {

// A value to be; strides are row-major and bytes dense unless given.
struct ValueSpec {
  std::vector<uint32_t> dims;
  format::ValueKind kind = format::ValueKind::kArena;
  uint32_t place = 0;
  uint32_t offset = 0;
  uint32_t first_step = 0, last_step = 0;
  uint32_t root = kNoIndex;  // of a view
  DType dtype = DType::kFloat32;
  Layout layout = Layout::kStrided;
  std::optional<std::vector<uint32_t>> strides = std::nullopt;
  std::optional<uint32_t> bytes = std::nullopt;
  bool yields = false;
};

struct StepSpec {
  Op op = Op::kAdd;
  format::Where where = format::Where::kCpu;
  std::vector<uint32_t> inputs, outputs;
  std::vector<uint32_t> scratch = {};
  std::vector<uint32_t> attributes = {};
  uint8_t flags = 0;
  uint8_t form = 0;
};

// Records go to the variant begun last, of the method begun last.
class ProgramBuilder {
 public:
  void method(const std::string& name, uint32_t input_count, uint32_t output_count);
  void variant(const std::string& board);
  void requirement(Capability id, uint32_t minimum);
  uint32_t arena(format::ArenaKind kind, uint32_t bytes, uint32_t alignment = 16);
  // Bytes of their own at the end of one section of constants; returns the operand word. `dims`: a
  // vector of them unless given; row-major unless `strides` are.
  uint32_t constant(const std::vector<float>& numbers, std::vector<uint32_t> dims = {},
                    std::optional<std::vector<uint32_t>> strides = std::nullopt);
  uint32_t value(const ValueSpec& spec);
  uint32_t step(const StepSpec& spec);
  // The sets of one layout, for a Vulkan variant.
  void descriptor_sets(uint32_t layout, uint32_t sets);
  // Facts of the variant.
  void set_flags(uint32_t flags) { current().flags = flags; }
  void set_threads(uint32_t most) { current().threads_max = most; }
  // The variant's inputs, then its outputs.
  void io(const std::vector<uint32_t>& values);

  // The tables so far, with the overlap certificate of every variant.
  planner::ProgramTables tables() const;
  std::vector<std::byte> file() const;

 private:
  format::VariantRecord& current() { return tables_.variants.back(); }

  planner::ProgramTables tables_;
  std::vector<std::byte> constants_;
};

// Stores in each arena value the index of the live value just below it, found the slow way.
// `inputs`: indices of the method's inputs.
void certify(std::vector<format::ValueRecord>& values, uint32_t first, uint32_t count,
             std::span<const uint32_t> inputs = {});

// The words of an attribute struct.
template <typename T>
std::vector<uint32_t> words_of(const T& attributes) {
  std::vector<uint32_t> words(sizeof(T) / 4);
  std::memcpy(words.data(), &attributes, sizeof(T));
  return words;
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
