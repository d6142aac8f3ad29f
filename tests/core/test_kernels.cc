// Three small kernels for tests of the loader and the executor.
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
  const Tensor y = step.output(0);
  for (uint32_t i = 0; i < inputs; ++i) {
    if (!step.has_input(i)) {
      return error(Code::kBadOperandCount, i);
    }
    const Tensor x = step.input(i);
    if (x.layout != Layout::kStrided || !is_row_major(x) || !is_row_major(y)) {
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

Status run_copy(const Step& step, const Platform&) {
  const size_t bytes = static_cast<size_t>(element_count(step.output(0)) * 4);
  if (bytes != 0) {
    std::memcpy(step.output(0).out, step.input(0).data, bytes);
  }
  return ok_status();
}

Status run_div(const Step&, const Platform&) { return error(Code::kIndexOutOfRange, 7); }

uint32_t mul_scratch(const Step&, uint32_t threads) { return 32 * threads; }

constexpr Kernel kAdd{Op::kAdd, check_binary, run_add, nullptr, 3, 4, 0, false};
constexpr Kernel kMul{Op::kMul, check_binary, run_mul, mul_scratch, 1, 16, 8, false};
constexpr Kernel kDiv{Op::kDiv, check_binary, run_div, nullptr, 1, 4, 0, false};
constexpr Kernel kCopy{Op::kCopy, check_copy, run_copy, nullptr, 1, 4, 0, false};
constexpr const Kernel* kTable[] = {&kAdd, &kMul, &kDiv, &kCopy};

}  // namespace

KernelTable test_kernels() { return kTable; }

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
