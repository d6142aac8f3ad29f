// Plain loops over float32, one for each operator.
#include "tests/core/test_forms.h"

#include <cstring>

#include "core/shape.h"
#include "ops/attributes.h"

namespace arenite::tests {
namespace {

constexpr uint32_t kOverRead = 8;

Status check_dims(const Step& step) {
  const OutTensor y = step.output(0);
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const Tensor x = step.input(i);
    const bool dense = is_row_major(x) && is_row_major(y);
    if (x.layout() != Layout::kStrided || (step.op() != Op::kCopy && !dense)) {
      return error(Code::kBadLayout, i);
    }
    if (x.rank() != y.rank() ||
        (x.rank() != 0 && std::memcmp(x.dims, y.dims, 4u * x.rank()) != 0)) {
      return error(Code::kBadShape, i);
    }
  }
  return ok_status();
}

constexpr Contract contract(Op op) {
  const bool binary = op != Op::kCopy;
  return {.op = op,
          .max_inputs = binary ? uint16_t{2} : uint16_t{1},
          .min_inputs = binary ? uint8_t{2} : uint8_t{1},
          .attribute_words = binary ? uint8_t{sizeof(BinaryAttributes) / 4} : uint8_t{0},
          .packings = {op == Op::kAdd ? uint8_t{3} : uint8_t{1}},
          .types = types::kFloat32,
          .check = check_dims};
}

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
  // It may use its scratch and read past its inputs: both are theirs.
  std::memset(step.scratch().out, 0xa5, 32);
  const uint64_t count = element_count(y);
  if (count != 0) std::memcpy(step.scratch().out, a.data + count * 4, kOverRead);
  for (uint64_t i = 0; i < count; ++i) {
    y.write<float>()[i] = a.read<float>()[i] * b.read<float>()[i];
  }
  return ok_status();
}

// Byte offset of element `i` in row-major order.
size_t place_of(const Tensor& tensor, uint64_t i) {
  uint64_t offset = 0;
  for (uint32_t d = tensor.rank(); d-- > 0; i /= tensor.dims[d]) {
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

ScratchNeed mul_scratch(const Step&) { return {0, 32}; }

uint64_t copy_distance(const Step&, uint32_t) { return 8; }

constexpr Form form(Op op, Status (*run)(const Step&, const Platform&)) {
  return {.op = op,
          .number = 0,
          .parallel = false,
          .alignment = 4,
          .packings = {op == Op::kAdd ? uint8_t{3} : uint8_t{1}},
          .types = types::kFloat32,
          .run = run};
}

constexpr Form make_add() {
  Form add = form(Op::kAdd, run_add);
  add.in_place = kAnyPlace;
  return add;
}

constexpr Form make_mul() {
  Form mul = form(Op::kMul, run_mul);
  mul.alignment = 16;
  mul.over_read_bytes = kOverRead;
  mul.scratch = mul_scratch;
  return mul;
}

constexpr Form make_copy() {
  Form copy = form(Op::kCopy, run_copy);
  copy.safe_distance = copy_distance;
  return copy;
}

constexpr Contract kContracts[] = {contract(Op::kAdd), contract(Op::kMul), contract(Op::kDiv),
                                   contract(Op::kCopy)};
constexpr Form kAdd = make_add();
constexpr Form kMul = make_mul();
constexpr Form kDiv = form(Op::kDiv, run_div);
constexpr Form kCopy = make_copy();
constexpr const Form* kForms[][2] = {
    {&kAdd, nullptr}, {&kMul, nullptr}, {&kDiv, nullptr}, {&kCopy, nullptr}};
constexpr OpEntry kTable[] = {{Op::kAdd, &kContracts[0], kForms[0]},
                              {Op::kMul, &kContracts[1], kForms[1]},
                              {Op::kDiv, &kContracts[2], kForms[2]},
                              {Op::kCopy, &kContracts[3], kForms[3]}};

}  // namespace

OpTable test_forms() { return kTable; }

const Form& test_form(Op op) { return *find_op(kTable, op)->forms[0]; }

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
