// One step of a program as a kernel sees it; its operands are resolved on demand from the stored
// tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/access.h"
#include "core/format.h"
#include "core/layout.h"
#include "core/status.h"
#include "core/types.h"

namespace arenite {

inline constexpr format::ElementsRecord kNoElements{};

// A value as a kernel reads it: where its bytes are, and what its record says of them.
struct Tensor {
  const std::byte* data = nullptr;  // null while a plan is only checked
  // rank() of each; the strides are in elements.
  const uint32_t* dims = nullptr;
  const uint32_t* strides = nullptr;
  const format::ElementsRecord* record = &kNoElements;

  DType dtype() const { return static_cast<DType>(record->dtype); }
  uint32_t rank() const { return record->rank; }
  Layout layout() const { return static_cast<Layout>(record->layout); }
  uint32_t bytes() const { return record->bytes; }  // so many may be read from data, no more

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

// The tables and the memory of one variant. Pointers into the program and into memory of the
// caller.
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

// The elements of an operand word that is not kNoIndex: of a value of the variant, or a constant.
inline const format::ElementsRecord& elements_of(const Bindings& bindings, uint32_t operand) {
  if (format::is_constant(operand)) return bindings.constants[format::constant_index(operand)];
  return bindings.values[operand];
}
Tensor tensor_of(const Bindings& bindings, uint32_t operand);

// Its tables must be bound already: it keeps where its operand words lie.
class Step {
 public:
  Step(const Bindings& bindings, const format::StepRecord& record, uint32_t index)
      : bindings_(&bindings),
        record_(&record),
        operands_(bindings.operands + record.operand_first),
        index_(index) {}

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
  const uint32_t* operand_words() const { return operands_; }
  uint32_t input_value(uint32_t i) const { return operands_[i]; }
  uint32_t output_value(uint32_t i) const { return input_value(record_->input_count + i); }
  bool has_scratch() const { return record_->scratch_count != 0; }
  uint32_t scratch_operand() const {
    return uint32_t{record_->input_count} + record_->output_count;
  }
  uint32_t scratch_value() const { return input_value(scratch_operand()); }

  // For operands that are there.
  const format::ElementsRecord& elements(uint32_t i) const;
  DType dtype(uint32_t i) const { return static_cast<DType>(elements(i).dtype); }
  // Its dims, then its strides.
  const uint32_t* dims(uint32_t i) const;
  Tensor operand(uint32_t i) const;
  Tensor input(uint32_t i) const { return operand(i); }
  OutTensor output(uint32_t i) const;  // i < output_count()
  OutTensor scratch() const;           // has_scratch() must hold

  uint32_t attribute_words() const { return record_->attribute_words; }

  // The attributes as the op's struct; words that are not stored are 0.
  template <typename T>
  T attributes() const {
    static_assert(sizeof(T) % 4 == 0);
    T attributes;
    copy_attributes(&attributes, sizeof(T) / 4);
    return attributes;
  }
  // The same where they are stored, or in `room` where not all words are: for proofs, which look at
  // few of them. Valid as long as `room` and the step's bindings.
  template <typename T>
  const T& attributes(T& room) const {
    static_assert(sizeof(T) % 4 == 0);
    return *static_cast<const T*>(attributes_in(&room, sizeof(T) / 4));
  }

 private:
  const void* attributes_in(void* room, uint32_t words) const;
  void copy_attributes(void* to, uint32_t words) const;

  const Bindings* bindings_;
  const format::StepRecord* record_;
  const uint32_t* operands_;
  uint32_t index_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
