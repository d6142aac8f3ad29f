// What a kernel sees: one step of a program, its operands resolved on demand from the stored
// tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/access.h"
#include "core/format.h"
#include "core/status.h"
#include "core/types.h"

namespace arenite {

// A value as a kernel reads it. dims and strides (elements) have `rank` entries.
struct Tensor {
  const std::byte* data = nullptr;  // null while a plan is only checked
  const uint32_t* dims = nullptr;
  const uint32_t* strides = nullptr;
  uint32_t bytes = 0;  // this many may be read from data, no more
  DType dtype = DType::kNone;
  uint8_t rank = 0;
  Layout layout = Layout::kStrided;

  template <typename T>
  Src<T> read() const {
    return as<T>(data);
  }
};

// A value as a kernel writes it.
struct OutTensor : Tensor {
  std::byte* out = nullptr;

  template <typename T>
  Dst<T> write() const {
    return as<T>(out);
  }
};

// Number of elements; 1 for a scalar.
uint64_t element_count(const Tensor& tensor);

// Where the tables and the memory of one variant are. Pointers into the program and caller-owned
// memory.
struct Bindings {
  const format::ValueRecord* values = nullptr;  // of the variant
  const uint32_t* shapes = nullptr;
  const uint32_t* operands = nullptr;
  const uint32_t* attributes = nullptr;
  const format::ConstantRecord* constants = nullptr;
  const std::byte* const* sections = nullptr;  // base of each section, null where not addressable
  std::byte* const* arenas =
      nullptr;  // base of each arena of the variant, null where not addressable
};

// An operand word that is not kNoIndex: any value of the variant, or constant.
Tensor tensor_of(const Bindings& bindings, uint32_t operand);
DType dtype_of(const Bindings& bindings, uint32_t operand);

class Step {
 public:
  // `resolved`: what its first operands are, for who looks at them again and again.
  Step(const Bindings& bindings, const format::StepRecord& record, uint32_t index,
       std::span<const Tensor> resolved = {})
      : bindings_(&bindings), record_(&record), index_(index), resolved_(resolved) {}

  Op op() const { return static_cast<Op>(record_->op); }
  format::Where where() const { return static_cast<format::Where>(record_->where); }
  uint32_t index() const { return index_; }
  uint32_t input_count() const { return record_->input_count; }
  uint32_t output_count() const { return record_->output_count; }
  // Runs on one thread, in the order for which the form states its safe distances.
  bool serial() const { return (record_->flags & format::kSerial) != 0; }
  const format::StepRecord& record() const { return *record_; }
  const Bindings& bindings() const { return *bindings_; }

  // False for an operand that the step leaves out or does not reach.
  bool has_input(uint32_t i) const {
    return i < record_->input_count && input_value(i) != kNoIndex;
  }
  // All operands: inputs, outputs, scratch.
  uint32_t operand_count() const {
    return uint32_t{record_->input_count} + record_->output_count + record_->scratch_count;
  }
  // Operand words: values relative to the variant, or constants (inputs only).
  uint32_t input_value(uint32_t i) const { return bindings_->operands[record_->operand_first + i]; }
  uint32_t output_value(uint32_t i) const { return input_value(record_->input_count + i); }
  bool has_scratch() const { return record_->scratch_count != 0; }
  uint32_t scratch_value() const {
    return input_value(uint32_t{record_->input_count} + record_->output_count);
  }

  Tensor operand(uint32_t i) const;                      // which must be there
  DType dtype(uint32_t i) const;                         // likewise
  Tensor input(uint32_t i) const { return operand(i); }  // has_input(i) must hold
  OutTensor output(uint32_t i) const;                    // i < output_count()
  OutTensor scratch() const;                             // has_scratch() must hold

  uint32_t attribute_words() const { return record_->attribute_words; }

  // The attributes as the op's struct; words that are not stored are 0.
  template <typename T>
  T attributes() const {
    static_assert(sizeof(T) % 4 == 0);
    T attributes;
    copy_attributes(&attributes, sizeof(T) / 4);
    return attributes;
  }

 private:
  void copy_attributes(void* to, uint32_t words) const;

  const Bindings* bindings_;
  const format::StepRecord* record_;
  uint32_t index_;
  std::span<const Tensor> resolved_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
