// A case made into one step over one arena, as a kernel sees it, with guards around each operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/step.h"
#include "tests/ops/case.h"

namespace arenite::ops_test {

// The arrangement of an operand in memory.
struct Stored {
  std::vector<uint32_t> strides;  // elements; of weights in blocks as programs store them
  uint32_t elements = 0;  // from the first to the last that its dims reach, or of its blocks
  uint32_t bits = 0;      // of each
};
// `n` outputs and `k` inner indices of weights in blocks (core/layout.h).
struct PanelShape {
  uint32_t n, k;
};
// Whether operand 1 is the filters of a convolution.
bool has_filters(Op op);
PanelShape panel_shape(Op op, const Operand& operand);
Stored storage_of(Op op, const Operand& operand);

inline constexpr std::byte kFillByte{0xa5};
// Makes NaN of every float.
inline constexpr std::byte kNanByte{0xff};

// Values are numbered inputs first, then outputs, absent ones left out; all lie in arena 0.
class CaseStep {
 public:
  // `fill`: what all bytes are that no input's elements have.
  explicit CaseStep(const OpCase& c, std::byte fill = kFillByte);
  ~CaseStep();
  CaseStep(const CaseStep&) = delete;
  CaseStep& operator=(const CaseStep&) = delete;

  const OpCase& op_case() const { return case_; }
  Bindings bindings() const;
  const format::StepRecord& record() const { return record_; }
  std::span<std::byte> arena() { return arena_; }
  // The arena becomes as it was made, for another run.
  void restore();

  // For tests that break things.
  format::StepRecord& mutable_record() { return record_; }
  format::ValueRecord& value(uint32_t i) { return values_[i]; }
  std::span<uint32_t> attributes() { return attributes_; }
  std::span<uint32_t> operands() { return operands_; }
  // rank dims, then rank strides, of value i.
  std::span<uint32_t> shape(uint32_t i);

  // Makes bindings name other values and arenas, each value in the arena of its number; null: its
  // own again.
  void lie_elsewhere(const format::ValueRecord* values, std::byte* const* arenas);

  // While alive, the bytes between operands are poison where AddressSanitizer runs.
  class Poison {
   public:
    explicit Poison(const CaseStep& step) : step_(step) { step_.set_poison(true); }
    ~Poison() { step_.set_poison(false); }
    Poison(const Poison&) = delete;
    Poison& operator=(const Poison&) = delete;

   private:
    const CaseStep& step_;
  };

  Numbers output(uint32_t i) const;
  // Names the changed bytes that are no element of an output; empty if none changed.
  std::string damage() const;

 private:
  void add_value(const Operand& operand, const Numbers* contents);
  void set_poison(bool on) const;
  // The offset of an element of weights in blocks.
  uint32_t block_offset(uint32_t value, const Index& index) const;

  OpCase case_;
  const std::byte fill_;
  const format::ValueRecord* other_values_ = nullptr;
  std::byte* const* other_arenas_ = nullptr;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> shapes_, operands_, attributes_;
  std::vector<std::byte> memory_;  // of the arena, before alignment
  std::span<std::byte> arena_;     // 64-aligned
  std::vector<std::byte> before_;  // the arena as made
  std::vector<std::byte> image_;   // the arena while it is being made
  std::byte* arena_base_ = nullptr;
  format::StepRecord record_{};
};

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
