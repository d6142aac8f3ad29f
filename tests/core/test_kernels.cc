// Four small kernels for tests of the loader and the executor.
#include "tests/core/test_kernels.h"

#include <cstring>

#include "core/attributes.h"
#include "core/shape.h"

namespace arenite::tests {
namespace {

Status check_dense(const Step& step, uint32_t inputs) {
  if (step.input_count() != inputs || step.output_count() != 1) {
    return error(Code::kBadOperandCount);
  }
  const OutTensor y = step.output(0);
  for (uint32_t i = 0; i < inputs; ++i) {
    if (!step.has_input(i)) {
      return error(Code::kBadOperandCount, i);
    }
    const Tensor x = step.input(i);
    const bool dense = is_row_major(x) && is_row_major(y);
    if (x.layout != Layout::kStrided || (step.op() != Op::kCopy && !dense)) {
      return error(Code::kBadLayout, i);
    }
    if (x.dtype != DType::kFloat32 || y.dtype != DType::kFloat32) {
      return error(Code::kBadType, i);
    }
    if (x.rank != y.rank || (x.rank != 0 && std::memcmp(x.dims, y.dims, 4u * x.rank) != 0)) {
      return error(Code::kBadShape, i);
    }
  }
  return ok_status();
}

Status check_binary(const Step& step) {
  ARENITE_TRY(check_dense(step, 2));
  return step.attributes_fit<BinaryAttributes>() ? ok_status() : error(Code::kBadAttribute);
}

Status check_copy(const Step& step) { return check_dense(step, 1); }

Status run_add(const Step& step, const Platform&) {
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  for (uint64_t i = 0; i < element_count(y); ++i) {
    y.write<float>()[i] = a.read<float>()[i] + b.read<float>()[i];
  }
  return ok_status();
}

Status run_mul(const Step& step, const Platform&) {
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  for (uint64_t i = 0; i < element_count(y); ++i) {
    y.write<float>()[i] = a.read<float>()[i] * b.read<float>()[i];
  }
  // It may use its scratch and write its tail: both are its own.
  std::memset(step.scratch().out, 0xa5, 32);
  std::memset(y.out + element_count(y) * 4, 0x5a, element_count(y) != 0 ? 8 : 0);
  return ok_status();
}

// Byte offset of element `i` in row-major order.
size_t place_of(const Tensor& tensor, uint64_t i) {
  uint64_t offset = 0;
  for (uint32_t d = tensor.rank; d-- > 0; i /= tensor.dims[d]) {
    offset += i % tensor.dims[d] * tensor.strides[d];
  }
  return static_cast<size_t>(offset * 4);
}

Status run_copy(const Step& step, const Platform&) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  for (uint64_t i = 0; i < element_count(y); ++i) {
    std::memcpy(y.out + place_of(y, i), x.data + place_of(x, i), 4);
  }
  return ok_status();
}

Status run_div(const Step&, const Platform&) { return error(Code::kIndexOutOfRange, 7); }

uint32_t mul_scratch(const Step&, uint32_t threads) { return 32 * threads; }

uint64_t copy_lead(const Step&, uint32_t) { return 8; }

constexpr Kernel kAdd{Op::kAdd, check_binary, run_add, nullptr,      3, 4,
                      0,        false,        nullptr, InPlace::kCpu};
constexpr Kernel kMul{Op::kMul, check_binary, run_mul, mul_scratch, 1, 16, 8, false};
constexpr Kernel kDiv{Op::kDiv, check_binary, run_div, nullptr, 1, 4, 0, false};
constexpr Kernel kCopy{Op::kCopy, check_copy, run_copy, nullptr, 1, 4, 0, false, copy_lead};
constexpr const Kernel* kTable[] = {&kAdd, &kMul, &kDiv, &kCopy};

}  // namespace

KernelTable test_kernels() { return kTable; }

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
