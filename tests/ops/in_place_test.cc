// Output 0 in the very place of an input, where that is allowed at any time: for elements that
// follow from those in the same place, and for residuals. Whatever the order of the pieces that
// threads take, the bits are those of operands apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "core/shape.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "tests/ops/case_step.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tests/ops/with_scratch.h"

namespace arenite::ops_test {
namespace {

constexpr size_t kAlignment = 64;

// A case's step with each operand in memory of its own, but for output 0 and one input, where these
// share theirs.
class Laid {
 public:
  // Takes the contents from `from`, as making them takes longest: one serves all layings of a case.
  // A form, which takes the step, runs it; null: the reference.
  explicit Laid(CaseStep& from, const Form* form = nullptr,
                std::optional<uint32_t> shared = std::nullopt);

  Step step() const { return Step(bindings_, record_, 0); }
  Status run() const {
    const Step at = step();
    return WithScratch(at, form()).run(form(), Platform{});
  }
  // Runs the step without its serial flag, the last pieces first.
  Status run_backwards();
  const Form& form() const { return form_ != nullptr ? *form_ : *reference_of(step()); }
  // The elements of all outputs, in order.
  std::vector<std::byte> results() const;

 private:
  const Form* form_;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> shapes_, operands_, attributes_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::byte*> arenas_;
  format::StepRecord record_;
  Bindings bindings_;
};

Laid::Laid(CaseStep& from, const Form* form, std::optional<uint32_t> shared) : form_(form) {
  record_ = from.record();
  record_.flags = format::kSerial;
  attributes_.assign(from.attributes().begin(), from.attributes().end());
  operands_.assign(from.operands().begin(), from.operands().end());
  const uint32_t output = operands_[record_.input_count];
  for (const uint32_t v : operands_) {
    if (v == kNoIndex) continue;
    format::ValueRecord value = from.value(v);
    const auto bytes = from.arena().subspan(value.offset, value.bytes);
    const bool follows = shared.has_value() && v == operands_[*shared];
    value.place = static_cast<uint8_t>(follows ? output : v);
    value.offset = 0;
    value.shape = static_cast<uint32_t>(shapes_.size());
    const auto shape = from.shape(v);
    shapes_.insert(shapes_.end(), shape.begin(), shape.end());
    values_.push_back(value);
    memory_.emplace_back(bytes.begin(), bytes.end());
  }
  if (shared.has_value()) {
    const std::vector<std::byte>& input = memory_[operands_[*shared]];
    std::vector<std::byte>& both = memory_[output];
    both.resize(std::max(both.size(), input.size()));
    std::copy(input.begin(), input.end(), both.begin());
  }
  for (std::vector<std::byte>& bytes : memory_) {
    // Room to align.
    const size_t size = bytes.size();
    bytes.resize(size + kAlignment);
    void* base = bytes.data();
    size_t room = bytes.size();
    std::align(kAlignment, size, base, room);
    std::memmove(base, bytes.data(), size);
    arenas_.push_back(static_cast<std::byte*>(base));
  }
  bindings_.values = values_.data();
  bindings_.shapes = shapes_.data();
  bindings_.operands = operands_.data();
  bindings_.attributes = attributes_.data();
  bindings_.arenas = arenas_.data();
}

Status Laid::run_backwards() {
  record_.flags = 0;
  Platform platform;
  platform.parallel_for = [](void*, uint32_t count, uint32_t, PieceFunction task, void* argument) {
    for (; count != 0; --count) task(argument, count - 1, count, 0);
  };
  const Step at = step();
  return WithScratch(at, form()).run(form(), platform);
}

std::vector<std::byte> Laid::results() const {
  std::vector<std::byte> all;
  for (uint32_t k = 0; k < record_.output_count; ++k) {
    const OutTensor y = step().output(k);
    const uint32_t size = element_bytes(y.dtype());
    uint32_t index[kMaxRank] = {};
    size_t offset = 0;
    for (uint64_t left = element_count(y); left != 0; --left) {
      all.insert(all.end(), y.out + offset * size, y.out + (offset + 1) * size);
      for (uint32_t d = y.rank(); d-- > 0;) {
        offset += y.strides[d];
        if (++index[d] != y.dims[d]) break;
        offset -= size_t{y.dims[d]} * y.strides[d];
        index[d] = 0;
      }
    }
  }
  return all;
}

class InPlace : public CaseTest {};

// Whether any form of an operator has it: a case of others is not even made.
bool some_form(Op op, bool (*has)(const Form&)) {
  for (const Form* const* form = find_op(all_ops(), op)->forms; *form != nullptr; ++form) {
    if (has(**form)) return true;
  }
  return false;
}

bool same_bits_in_place(CaseStep& from, uint32_t input, const Form* form = nullptr) {
  Laid apart(from, form);
  Laid in_place(from, form, input);
  EXPECT_TRUE(apart.run().ok());
  EXPECT_TRUE(in_place.run_backwards().ok());
  return apart.results() == in_place.results();
}

TEST_P(InPlace, KeepsBits) {
  const Op op = the_case().op;
  if (find_contract(op)->layout.kind != LayoutClass::kElementwise &&
      !some_form(op, [](const Form& form) { return form.in_place != 0; })) {
    return;
  }
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep from(c);
    const Laid laid(from);
    const Contract& contract = *find_contract(c.op);
    if (contract.layout.kind != LayoutClass::kElementwise && laid.form().in_place == 0) continue;
    const OutTensor y = laid.step().output(0);
    for (uint32_t i = 0; i < c.inputs.size(); ++i) {
      if (c.inputs[i].absent) continue;
      if (contract.layout.kind != LayoutClass::kElementwise && !takes_place(laid.form(), i))
        continue;
      const Tensor x = laid.step().input(i);
      const bool same = x.rank() == y.rank() &&
                        element_bytes(x.dtype()) == element_bytes(y.dtype()) &&
                        std::equal(x.dims, x.dims + x.rank(), y.dims) &&
                        std::equal(x.strides, x.strides + x.rank(), y.strides);
      if (same) {
        EXPECT_TRUE(same_bits_in_place(from, i)) << c.name << ", input " << i;
      }
    }
  }
}

// Whatever the form.
TEST_P(InPlace, OfTheResidualKeepsBits) {
  constexpr uint32_t r = kResidualInput;
  const Op op = the_case().op;
  if ((op != Op::kConv && op != Op::kMatMul) || the_case().inputs.size() <= r) return;
  uint32_t tried = 0;
  // Few cases have a residual, and some of them lie as it does in few of their layouts.
  for (const OpCase& c : every_layout(the_case())) {
    CaseStep from(c);
    const Laid laid(from);
    const Step step = laid.step();
    const Tensor residual = step.input(r);
    const OutTensor y = step.output(0);
    if (!std::equal(residual.strides, residual.strides + residual.rank(), y.strides)) continue;
    std::vector<const Form*> forms = {nullptr};
    for (const Form* form : special_forms_that_run(c.op, 0)) {
      const bool takes = takes_place(*form, r) && reads_weights(*form, step) &&
                         (form->accepts == nullptr || form->accepts(step));
      if (takes) forms.push_back(form);
    }
    for (const Form* form : forms) {
      EXPECT_TRUE(same_bits_in_place(from, r, form))
          << c.name << ", form " << (form == nullptr ? 0 : int{form->number});
      ++tried;
    }
  }
  EXPECT_NE(tried, 0u);
}

INSTANTIATE_TEST_SUITE_P(Ops, InPlace, every_case(), case_name);

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
