// Resolves a step's operands from the stored tables.
#include "core/step.h"

namespace arenite {

namespace {

// What the records of values and of constants have in common.
template <typename Record>
Tensor described(const Bindings& bindings, const Record& record, const std::byte* base) {
  Tensor tensor;
  tensor.data = base != nullptr ? base + record.offset : nullptr;
  tensor.dims = bindings.shapes + record.shape;
  tensor.strides = tensor.dims + record.rank;
  tensor.bytes = record.bytes;
  tensor.dtype = static_cast<DType>(record.dtype);
  tensor.rank = record.rank;
  tensor.layout = static_cast<Layout>(record.layout);
  return tensor;
}

}  // namespace

Tensor tensor_of(const Bindings& bindings, uint32_t operand) {
  if (format::is_constant(operand)) {
    const auto& constant = bindings.constants[format::constant_index(operand)];
    return described(bindings, constant,
                     bindings.sections != nullptr ? bindings.sections[constant.section] : nullptr);
  }
  const format::ValueRecord& value = bindings.values[operand];
  return described(bindings, value,
                   bindings.arenas != nullptr ? bindings.arenas[value.place] : nullptr);
}

DType dtype_of(const Bindings& bindings, uint32_t operand) {
  return static_cast<DType>(format::is_constant(operand)
                                ? bindings.constants[format::constant_index(operand)].dtype
                                : bindings.values[operand].dtype);
}

Tensor Step::operand(uint32_t i) const {
  return i < resolved_.size() ? resolved_[i] : tensor_of(*bindings_, input_value(i));
}

DType Step::dtype(uint32_t i) const {
  return i < resolved_.size() ? resolved_[i].dtype : dtype_of(*bindings_, input_value(i));
}

OutTensor Step::output(uint32_t i) const {
  OutTensor tensor{operand(record_->input_count + i)};
  // Outputs are verified to lie in arenas, which are writable memory of the caller.
  tensor.out = const_cast<std::byte*>(tensor.data);
  return tensor;
}

OutTensor Step::scratch() const { return output(record_->output_count); }

void Step::copy_attributes(void* to, uint32_t words) const {
  const uint32_t stored = record_->attribute_words < words ? record_->attribute_words : words;
  if (stored != 0) {  // a program without attributes has no table of them
    std::memcpy(to, bindings_->attributes + record_->attribute_first, size_t{stored} * 4);
  }
  if (stored < words) {
    std::memset(static_cast<std::byte*>(to) + size_t{stored} * 4, 0, size_t{words - stored} * 4);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
