// Makes numbers up by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#include "tools/compare/made_up_inputs.h"

#include <cstring>

#include "portable_fallback/shared/small_float.h"
#include "tools/run/dim_ranges.h"

namespace arenite::tools {
namespace {

class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  // At least -1 and below 1, a multiple of 2^-23: exact in a float.
  double unit() { return static_cast<double>(bits() >> 40) * 0x1p-23 - 1; }

 private:
  uint64_t state_;
};

template <typename T>
void put(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

void put_element(DType dtype, Numbers& numbers, std::byte* to) {
  switch (dtype) {
    case DType::kFloat32:
      return put(static_cast<float>(numbers.unit()), to);
    case DType::kFloat64:
      return put(numbers.unit(), to);
    case DType::kFloat16:
      return put(double_to_small<kFloat16Format>(numbers.unit()), to);
    case DType::kBfloat16:
      return put(double_to_small<kBfloat16Format>(numbers.unit()), to);
    case DType::kUint8:
    case DType::kInt8:
      return put(static_cast<uint8_t>(numbers.bits()), to);
    default:
      // Little-endian: the first byte holds it, whatever the type.
      *to = static_cast<std::byte>(numbers.bits() & 1);
  }
}

}  // namespace

std::vector<HostTensor> make_up_inputs(const ProgramFile& file, uint32_t method) {
  std::vector<HostTensor> inputs;
  const std::vector<HostTensor> forms =
      input_forms(file.program(), method, first_symbols(file.program(), method));
  for (uint32_t i = 0; i < file.program().methods()[method].input_count; ++i) {
    if (file.state_of(method, i) != nullptr) {
      inputs.emplace_back();
      continue;
    }
    HostTensor tensor = forms[i];
    uint64_t count = 1;
    for (const uint32_t dim : tensor.dims) count *= dim;
    const size_t element = element_bytes(tensor.dtype);
    tensor.bytes.resize(count * element);
    Numbers numbers(i);
    for (uint64_t k = 0; k < count; ++k) {
      put_element(tensor.dtype, numbers, tensor.bytes.data() + k * element);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
