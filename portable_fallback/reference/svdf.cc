// svdf: for each unit the products of its features with x join what the state has of them; what the
// state says of all times gives y.
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Svdf {
  Tensor x, features, times, bias, state;  // bias without data where absent
  OutTensor y, next;
  SvdfAttributes attributes;

  uint32_t units() const { return y.dims[1]; }
  uint32_t memory() const { return times.dims[1]; }
};

// Types and arithmetic of floats, and of integers whose state has type State.
struct Floats {
  using Element = float;
  using State = float;
  using Sum = float;
  explicit Floats(const SvdfAttributes&) {}
  float x(float element) const { return element; }
  float remembered(float element) const { return element; }
  float as_state(float sum) const { return sum; }
  float result(float sum) const { return sum; }
};

template <typename T>
struct Integers {
  using Element = int8_t;
  using State = T;
  using Sum = int32_t;
  explicit Integers(const SvdfAttributes& attributes) : by(attributes) {}
  int32_t x(int8_t element) const { return element - by.x_zero_point; }
  int32_t remembered(T element) const { return element - by.state_zero_point; }
  T as_state(int32_t sum) const {
    using Limits = std::numeric_limits<T>;
    const Requantization state = {by.output.rounding, by.state_zero_point, Limits::lowest(),
                                  Limits::max()};
    return static_cast<T>(finished(sum, by.multipliers[0], by.shifts[0], state));
  }
  int8_t result(int32_t sum) const {
    return static_cast<int8_t>(finished(sum, by.multipliers[1], by.shifts[1], by.output));
  }

  SvdfAttributes by;
};

// The product of feature f with row b of x.
template <typename Kind>
typename Kind::Sum product(const Svdf& task, const Kind& kind, uint32_t b, uint32_t f) {
  using Sum = typename Kind::Sum;
  auto x = task.x.read<typename Kind::Element>() + size_t{b} * task.x.strides[0];
  auto w = task.features.read<typename Kind::Element>() + size_t{f} * task.features.strides[0];
  Sum sum = 0;
  for (uint32_t i = 0; i < task.x.dims[1]; ++i) {
    sum = wrapped_sum(sum, wrapped_product(Sum{*w}, Sum{kind.x(*x)}));
    x += task.x.strides[1];
    w += task.features.strides[1];
  }
  return sum;
}

// Moves feature f's part of the state on; its product with `times`.
template <typename Kind>
typename Kind::Sum remember(const Svdf& task, const Kind& kind, uint32_t b, uint32_t f,
                            typename Kind::State newest) {
  using Sum = typename Kind::Sum;
  using State = typename Kind::State;
  const uint32_t memory = task.memory();
  const size_t first = size_t{f} * memory;
  const size_t step = task.state.strides[1];
  auto from = task.state.read<State>() + size_t{b} * task.state.strides[0] + first * step;
  auto to =
      task.next.write<State>() + size_t{b} * task.next.strides[0] + first * task.next.strides[1];
  auto times = task.times.read<State>() + size_t{f} * task.times.strides[0];
  Sum sum = 0;
  for (uint32_t m = 0; m < memory; ++m) {
    const State element = m + 1 < memory ? State{from[size_t{m + 1} * step]} : newest;
    *to = element;
    sum = wrapped_sum(sum, wrapped_product(Sum{*times}, Sum{kind.remembered(element)}));
    to += task.next.strides[1];
    times += task.times.strides[1];
  }
  return sum;
}

template <typename Kind>
void svdf_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  using Sum = typename Kind::Sum;
  const auto& task = *static_cast<const Svdf*>(argument);
  const Kind kind(task.attributes);
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t b = item / task.units(), u = item % task.units();
    Sum sum = 0;
    if (task.bias.data != nullptr) sum = task.bias.read<Sum>()[u * size_t{task.bias.strides[0]}];
    for (uint32_t r = 0; r < task.attributes.rank; ++r) {
      const uint32_t f = u * task.attributes.rank + r;
      const auto newest = kind.as_state(product(task, kind, b, f));
      sum = wrapped_sum(sum, remember(task, kind, b, f, newest));
    }
    task.y.write<typename Kind::Element>()[b * size_t{task.y.strides[0]} +
                                           u * size_t{task.y.strides[1]}] = kind.result(sum);
  }
}

Svdf task_of(const Step& step) {
  Svdf task = {step.input(0), step.input(1),  step.input(2),  {},
               step.input(4), step.output(0), step.output(1), step.attributes<SvdfAttributes>()};
  if (step.has_input(3)) task.bias = step.input(3);
  return task;
}

void run_units(const Platform& platform, Svdf& task, PieceFunction units) {
  const uint32_t items = task.y.dims[0] * task.units();
  const uint64_t each = uint64_t{task.attributes.rank} * (task.x.dims[1] + task.memory());
  split(platform, items, items * each, units, &task);
}

Status run_floats(const Step& step, const Platform& platform) {
  Svdf task = task_of(step);
  run_units(platform, task, svdf_items<Floats>);
  return ok_status();
}

Status run_integers(const Step& step, const Platform& platform) {
  Svdf task = task_of(step);
  const bool narrow = task.state.dtype() == DType::kInt8;
  run_units(platform, task, narrow ? svdf_items<Integers<int8_t>> : svdf_items<Integers<int16_t>>);
  return ok_status();
}

}  // namespace

constexpr Form kSvdfForm0 = make_form(Op::kSvdf, 0, {.parallel = true, .run = run_floats});
ARENITE_FORM_CODE(Svdf, 0)
constexpr Form kSvdfForm1 = make_form(Op::kSvdf, 1, {.parallel = true, .run = run_integers});
ARENITE_FORM_CODE(Svdf, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
