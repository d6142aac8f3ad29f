// Resolves a step's operands from the stored tables.
#include "core/step.h"

namespace arenite {

namespace {

// Parts of each function that finds an operand, of which loading finds several for each step.
[[gnu::always_inline]] inline const format::ElementsRecord& found(const Bindings& bindings,
                                                                  uint32_t operand) {
  if (format::is_constant(operand)) return bindings.constants[format::constant_index(operand)];
  return bindings.values[operand];
}
[[gnu::always_inline]] inline Tensor made(const Bindings& bindings, uint32_t operand) {
  const format::ElementsRecord& record = found(bindings, operand);
  // A table that is not there is one of nulls.
  const std::byte* base = nullptr;
  if (format::is_constant(operand)) {
    if (bindings.sections != nullptr) base = bindings.sections[record.place];
  } else if (bindings.arenas != nullptr) {
    base = bindings.arenas[record.place];
  }
  const uint32_t* dims = bindings.shapes + record.shape;
  return {base != nullptr ? base + record.offset : nullptr, dims, dims + record.rank, &record};
}

}  // namespace

Tensor tensor_of(const Bindings& bindings, uint32_t operand) { return made(bindings, operand); }

const format::ElementsRecord& Step::elements(uint32_t i) const {
  return found(*bindings_, operands_[i]);
}

const uint32_t* Step::dims(uint32_t i) const {
  return bindings_->shapes + found(*bindings_, operands_[i]).shape;
}

Tensor Step::operand(uint32_t i) const { return made(*bindings_, operands_[i]); }

OutTensor Step::output(uint32_t i) const {
  OutTensor tensor{made(*bindings_, operands_[record_->input_count + i])};
  // Outputs are verified to lie in arenas, which are writable memory of the caller.
  tensor.out = const_cast<std::byte*>(tensor.data);
  return tensor;
}

OutTensor Step::scratch() const { return output(record_->output_count); }

const void* Step::attributes_in(void* room, uint32_t words) const {
  if (record_->attribute_words >= words) return bindings_->attributes + record_->attribute_first;
  copy_attributes(room, words);
  return room;
}

void Step::copy_attributes(void* to, uint32_t words) const {
  const uint32_t stored = record_->attribute_words < words ? record_->attribute_words : words;
  const uint32_t* from = bindings_->attributes + record_->attribute_first;
  const uint32_t* const from_end = from + stored;
  auto* at = static_cast<std::byte*>(to);
  const std::byte* const end = at + size_t{words} * 4;
  // Word by word: there are few.
  for (; from != from_end; ++from, at += 4) std::memcpy(at, from, 4);
  for (; at != end; at += 4) std::memset(at, 0, 4);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
