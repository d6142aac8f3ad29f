// y = e^(x - max) / sum of e^(x - max) along axes, in integers. An exponential is a class:
// summand(d) for the difference to the greatest; after set_sum the share of d, as a number of the
// result's scale. Sums saturate, so that their order does not matter. Exponentials of int16 have
// its bits: they are made once, and lie in y until their sum is known.
#include <cstdint>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/fixed_point.h"
#include "portable_fallback/shared/interpolate.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Task {
  explicit Task(const Step& step);

  AxisRows rows;
  Tensor x;
  OutTensor y;
  QuantizedSoftmaxAttributes by;
  Tensor tables[2];
};

Task::Task(const Step& step)
    : rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes),
      x(step.input(0)),
      y(step.output(0)),
      by(step.attributes<QuantizedSoftmaxAttributes>()) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (step.has_input(1 + i)) tables[i] = step.input(1 + i);
  }
}

uint32_t leading_zeros(uint32_t value) { return static_cast<uint32_t>(__builtin_clz(value)); }

// TensorFlow Lite's of 8 bits: gemmlowp's exponential of 5 integer bits, sums of 12.
class FixedPoint {
 public:
  explicit FixedPoint(const Task& task) : by_(task.by), bits_(element_bytes(task.y.dtype()) * 8) {}

  static constexpr uint32_t kSumMax = UINT32_MAX;
  uint32_t summand(int32_t d) const {
    return d < by_.diff_min ? 0 : static_cast<uint32_t>(fixed_point::rescaled<-12>(exp(d)));
  }
  // The sum is at least 1, which is 2^19.
  void set_sum(uint32_t sum) {
    const uint32_t zeros = leading_zeros(sum);
    const uint32_t above_one = (sum << zeros) - (1u << 31);
    reciprocal_ = fixed_point::one_over_one_plus(static_cast<int32_t>(above_one));
    const uint32_t exponent = 12 + 31 - zeros - bits_;
    exponent_ = static_cast<int32_t>(exponent < 32 ? exponent : 32);
  }
  int32_t share(int32_t d) const {
    if (d < by_.diff_min) return 0;
    return rounded_shift_away(doubling_high_product(reciprocal_, exp(d)), exponent_);
  }

 private:
  int32_t exp(int32_t d) const {
    return fixed_point::exp_of_negative<5>(
        requantized(d, by_.multiplier, by_.shift, Rounding::kTfliteDouble));
  }

  const QuantizedSoftmaxAttributes& by_;
  uint32_t bits_;
  int32_t reciprocal_ = 0, exponent_ = 0;
};

// TensorFlow Lite's of int16: tables of e^d and of 1 / (1 + x). Its shares are those of
// exponentials.
class Interpolated {
 public:
  explicit Interpolated(const Task& task)
      : multiplier_(task.by.multiplier),
        shift_(task.by.shift),
        exps_(task.tables[0]),
        reciprocals_(task.tables[1]) {}

  static constexpr uint32_t kSumMax = INT32_MAX;
  static uint32_t summand(int16_t exp) { return exp > 0 ? static_cast<uint32_t>(exp) : 0; }
  int16_t exp(int32_t d) const {
    // What lies beside the table reads its ends.
    constexpr int32_t kFirst = -65535;
    const int32_t scaled = requantized_twice(d, multiplier_, shift_);
    const int32_t inside = scaled < kFirst ? kFirst : scaled > 0 ? 0 : scaled;
    return exps_.look_up(static_cast<int16_t>(inside + 32767));
  }
  void set_sum(uint32_t sum) {
    if (sum == 0) sum = 1;
    const uint32_t zeros = leading_zeros(sum);
    // With 16 fraction bits, in [1, 2).
    const int64_t normal = ((int64_t{sum} << (zeros - 1)) + (1 << 13)) >> 14;
    const int64_t place = normal - (1 << 15) - (1 << 16);
    reciprocal_ = reciprocals_.look_up(fixed_point::saturated<int16_t>(place));
    exponent_ = static_cast<int32_t>(31 - zeros);
  }
  int32_t share(int16_t exp) const {
    const int32_t product = exp * reciprocal_;
    // Halves go up.
    const int32_t share =
        exponent_ == 0 ? product : (product >> exponent_) + (product >> (exponent_ - 1) & 1);
    return share < 0 ? 0 : share > 32767 ? 32767 : share;
  }

 private:
  struct Table {
    explicit Table(const Tensor& table)
        : values(table.read<int16_t>()), step(static_cast<ptrdiff_t>(table.strides[0])) {}
    int16_t look_up(int16_t x) const { return interpolated(values, step, x); }
    Src<int16_t> values;
    ptrdiff_t step;
  };

  int32_t multiplier_, shift_;
  Table exps_, reciprocals_;
  int16_t reciprocal_ = 0;
  int32_t exponent_ = 0;
};

// A table of numerators and summands.
class Tabled {
 public:
  explicit Tabled(const Task& task) : table_(task.tables[0]) {}

  static constexpr uint32_t kSumMax = UINT32_MAX;
  uint32_t summand(int32_t d) const { return at(1, d); }
  void set_sum(uint32_t sum) { sum_ = sum != 0 ? sum : 1; }
  int32_t share(int32_t d) const {
    const uint32_t numerator = at(0, d);
    const uint32_t whole = numerator / sum_;
    const uint32_t rest = numerator % sum_;
    const uint32_t missing = sum_ - rest;
    const bool up = rest > missing || (rest == missing && (whole & 1u) != 0);
    return saturated_int32(int64_t{whole} + (up ? 1 : 0));
  }

 private:
  uint32_t at(uint32_t row, int32_t d) const {
    return table_.read<uint32_t>()[size_t{row} * table_.strides[0] +
                                   static_cast<size_t>(-d) * table_.strides[1]];
  }

  Tensor table_;
  uint32_t sum_ = 1;
};

// x of 8 bits as numbers of the same order and differences: 128 more for signed ones.
class Bytes {
 public:
  explicit Bytes(const Task& task) : sign_(task.x.dtype() == DType::kInt8 ? 0x80 : 0) {}
  int32_t number(uint8_t element) const { return element ^ sign_; }

 private:
  int32_t sign_;
};

// Results of 8 or 16 bits from an element on: the low bits of numbers.
class Results {
 public:
  Results(const OutTensor& y, ptrdiff_t offset) : wide_(element_bytes(y.dtype()) == 2) {
    if (wide_) {
      halves_ = y.write<uint16_t>() + offset;
    } else {
      bytes_ = y.write<uint8_t>() + offset;
    }
  }

  void put(ptrdiff_t at, int32_t number) const {
    if (wide_) {
      halves_[at] = static_cast<uint16_t>(number);
    } else {
      bytes_[at] = static_cast<uint8_t>(number);
    }
  }

 private:
  bool wide_;
  Dst<uint16_t> halves_ = {};
  Dst<uint8_t> bytes_ = {};
};

// One loop for all types of results: what an exponential takes hides what asking for them does,
// and a loop of its own for each pair would be four times the code.
template <typename Exponential>
void softmax_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  const Bytes numbers(task);
  const NestedLoop& axes = task.rows.axes;
  const ptrdiff_t xs = axes.inner_stride(1);
  const ptrdiff_t ys = axes.inner_stride(0);
  Exponential exponential(task);
  RowCursor item(task.rows.kept, 1, first);
  for (uint32_t i = first; i < last; ++i, item.next()) {
    Src<uint8_t> x = task.x.read<uint8_t>() + item.offset(1);
    int32_t most = INT32_MIN;
    for_rows(axes, [&](const RowCursor& at) {
      Src<uint8_t> from = x + at.offset(1);
      for (uint32_t left = at.count(); left != 0; --left, from += xs) {
        const int32_t number = numbers.number(*from);
        most = number > most ? number : most;
      }
    });
    uint32_t sum = 0;
    for_rows(axes, [&](const RowCursor& at) {
      Src<uint8_t> from = x + at.offset(1);
      for (uint32_t left = at.count(); left != 0; --left, from += xs) {
        const uint32_t summand = exponential.summand(numbers.number(*from) - most);
        sum = summand < Exponential::kSumMax - sum ? sum + summand : Exponential::kSumMax;
      }
    });
    exponential.set_sum(sum);
    const Results y(task.y, item.offset(0));
    for_rows(axes, [&](const RowCursor& at) {
      Src<uint8_t> from = x + at.offset(1);
      ptrdiff_t to = at.offset(0);
      for (uint32_t left = at.count(); left != 0; --left, from += xs, to += ys) {
        const int32_t share = exponential.share(numbers.number(*from) - most);
        y.put(to, limited_result(share, task.by.output));
      }
    });
  }
}

// The same of int16, whose results are int16 too.
void int16_softmax_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  const NestedLoop& axes = task.rows.axes;
  const ptrdiff_t xs = axes.inner_stride(1);
  const ptrdiff_t ys = axes.inner_stride(0);
  const Requantization output = task.by.output;
  Interpolated exponential(task);
  RowCursor item(task.rows.kept, 1, first);
  for (uint32_t i = first; i < last; ++i, item.next()) {
    const Src<int16_t> x = task.x.read<int16_t>() + item.offset(1);
    const Dst<int16_t> y = task.y.write<int16_t>() + item.offset(0);
    int32_t most = INT32_MIN;
    for_rows(axes, [&](const RowCursor& at) {
      Src<int16_t> from = x + at.offset(1);
      for (uint32_t left = at.count(); left != 0; --left, from += xs) {
        const int32_t number = *from;
        most = number > most ? number : most;
      }
    });
    uint32_t sum = 0;
    for_rows(axes, [&](const RowCursor& at) {
      Src<int16_t> from = x + at.offset(1);
      Dst<int16_t> to = y + at.offset(0);
      for (uint32_t left = at.count(); left != 0; --left, from += xs, to += ys) {
        const int16_t exp = exponential.exp(*from - most);
        const uint32_t summand = Interpolated::summand(exp);
        sum = summand < Interpolated::kSumMax - sum ? sum + summand : Interpolated::kSumMax;
        *to = exp;
      }
    });
    exponential.set_sum(sum);
    for_rows(axes, [&](const RowCursor& at) {
      Dst<int16_t> to = y + at.offset(0);
      for (uint32_t left = at.count(); left != 0; --left, to += ys) {
        *to = static_cast<int16_t>(limited_result(exponential.share(*to), output));
      }
    });
  }
}

Status shared_out(Task& task, const Platform& platform, PieceFunction items) {
  if (task.rows.count() == 0 || task.rows.empty) return ok_status();
  split(platform, task.rows.count(), element_count(task.y) * 64, items, &task);
  return ok_status();
}

Status run_softmax_of_bytes(const Step& step, const Platform& platform) {
  Task task(step);
  const bool tabled = task.by.output.rounding == Rounding::kHalfEven;
  return shared_out(task, platform, tabled ? softmax_items<Tabled> : softmax_items<FixedPoint>);
}

Status run_softmax_of_int16(const Step& step, const Platform& platform) {
  Task task(step);
  return shared_out(task, platform, int16_softmax_items);
}

// Tables are read to the end.
uint64_t quantized_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  return axis_rows_distance(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
}

constexpr Form softmax_form(uint8_t number, Status (*run)(const Step&, const Platform&)) {
  return make_form(Op::kQuantizedSoftmax, number,
                   {.parallel = true,
                    .in_place = kAnyPlace,
                    .safe_distance = quantized_softmax_distance,
                    .run = run});
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm1 = softmax_form(1, run_softmax_of_bytes);
ARENITE_FORM_CODE(QuantizedSoftmax, 1)
constexpr Form kQuantizedSoftmaxForm2 = softmax_form(2, run_softmax_of_int16);
ARENITE_FORM_CODE(QuantizedSoftmax, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
