// Resolves a step's operands from the stored tables.
#include "core/step.h"

namespace arenite {

namespace {

// Fills `tensor` and returns its data.
const std::byte* describe(const Bindings& bindings, uint32_t value, Tensor& tensor) {
  const format::ValueRecord& record = bindings.values[value];
  tensor.dims = bindings.shapes + record.shape;
  tensor.strides = tensor.dims + record.rank;
  tensor.bytes = record.bytes;
  tensor.dtype = static_cast<DType>(record.dtype);
  tensor.rank = record.rank;
  tensor.layout = static_cast<Layout>(record.layout);
  const std::byte* base = nullptr;
  if (record.kind == static_cast<uint8_t>(format::ValueKind::kConstant)) {
    const format::ConstantRecord& constant = bindings.constants[record.place];
    base = bindings.sections != nullptr ? bindings.sections[constant.section] : nullptr;
    base = base != nullptr ? base + constant.offset : nullptr;
  } else if (bindings.arenas != nullptr) {
    base = bindings.arenas[record.place];
  }
  tensor.data = base != nullptr ? base + record.offset : nullptr;
  return tensor.data;
}

}  // namespace

Tensor tensor_of(const Bindings& bindings, uint32_t value) {
  Tensor tensor;
  describe(bindings, value, tensor);
  return tensor;
}

Tensor Step::input(uint32_t i) const { return tensor_of(*bindings_, input_value(i)); }

OutTensor Step::output(uint32_t i) const { return out_tensor(output_value(i)); }

OutTensor Step::scratch() const { return out_tensor(scratch_value()); }

void Step::copy_attributes(void* to, uint32_t words) const {
  const uint32_t* from = bindings_->attributes + record_->attribute_first;
  for (uint32_t i = 0; i < words; ++i) {
    const uint32_t word = i < record_->attribute_words ? from[i] : 0;
    std::memcpy(static_cast<std::byte*>(to) + size_t{i} * 4, &word, 4);
  }
}

OutTensor Step::out_tensor(uint32_t value) const {
  OutTensor tensor;
  // Outputs are verified to lie in arenas, which are writable memory of the caller.
  tensor.out = const_cast<std::byte*>(describe(*bindings_, value, tensor));
  return tensor;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
