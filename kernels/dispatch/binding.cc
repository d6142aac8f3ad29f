// Rounds offsets down to kBufferAlignment, and measures ranges with what the rounding adds.
#include "kernels/dispatch/binding.h"

#include "kernels/dispatch/command.h"

namespace arenite {

uint32_t storage_offset(const Bindings& bindings, uint32_t operand) {
  // A constant is uploaded by itself.
  return format::is_constant(operand) ? 0 : bindings.values[operand].offset;
}

uint32_t buffer_skip(const Bindings& bindings, uint32_t operand) {
  const uint32_t size = element_bytes(static_cast<DType>(elements_of(bindings, operand).dtype));
  return size == 0 ? 0 : storage_offset(bindings, operand) % kBufferAlignment / size;
}

bool is_bindable(const Bindings& bindings, uint32_t value, uint64_t storage_buffer_bytes) {
  const Tensor record = tensor_of(bindings, value);
  const uint32_t element = element_bytes(record.dtype());
  const uint32_t alignment = element < 4 ? element : 4;
  return record.rank() <= kMaxRank && alignment != 0 &&
         storage_offset(bindings, value) % alignment == 0 &&
         uint64_t{record.bytes()} + (kBufferAlignment - 1) <= storage_buffer_bytes;
}

bool is_uniform(const Bindings& bindings, uint32_t operand) {
  const uint32_t skip = storage_offset(bindings, operand) % kBufferAlignment;
  return uniform_range(uint64_t{skip} + tensor_of(bindings, operand).bytes()) <= kMaxUniformBytes;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
