// Family reduce: each output from the elements of the input along axes, in their order, up to
// sixteen outputs side by side. A member is a struct of the operator's Type: start<T>(of the task),
// add(so far, element), and finish(result, count), a template over the type computed with. Integers
// wrap; 16-bit floats are rounded once, at the end. ArgMax and ArgMin search one output after the
// other.
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct ReduceTask : Reduction {
  explicit ReduceTask(const Step& step);

  bool of_bools;
  bool select_last;  // of ArgAttributes
  bool least;        // ArgMin, which shares its code with ArgMax
};

uint32_t axes_of(const Step& step) {
  static_assert(offsetof(ArgAttributes, axes) == offsetof(ReduceAttributes, axes));
  return step.attributes<ReduceAttributes>().axes;
}

ReduceTask::ReduceTask(const Step& step)
    : Reduction(step, axes_of(step)),
      of_bools(step.input(0).dtype() == DType::kBool),
      select_last(step.attributes<ArgAttributes>().select_last != 0),
      least(step.op() == Op::kArgMin) {}

// Bools are bytes here; the largest is 1.
template <typename T>
T largest(const ReduceTask& task) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    if (task.of_bools) return 1;
  }
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

template <typename T>
T smallest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

template <typename T>
T magnitude(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return abs_f32(x);
  } else if constexpr (std::is_same_v<T, double>) {
    return __builtin_fabs(x);
  } else if constexpr (std::is_unsigned_v<T>) {
    return x;
  } else {
    return x < 0 ? wrapped_negative(x) : x;
  }
}

float root(float x) { return sqrt_f32(x); }
double root(double x) { return sqrt_f64(x); }
float logarithm(float x) { return log_f32(x); }
double logarithm(double x) { return log_f64(x); }

struct ReduceSum {
  template <typename T>
  static T start(const ReduceTask&) {
    return 0;
  }
  template <typename T>
  static T add(T sum, T element) {
    return wrapped_sum(sum, element);
  }
  template <typename T>
  static T finish(T sum, uint32_t) {
    return sum;
  }
};

// Integers truncate; the mean of none of them is 0.
struct ReduceMean : ReduceSum {
  template <typename T>
  static T finish(T sum, uint32_t count) {
    if constexpr (std::is_integral_v<T>) {
      if (count == 0) return 0;
    }
    return sum / static_cast<T>(count);
  }
};

struct ReduceProd : ReduceSum {
  template <typename T>
  static T start(const ReduceTask&) {
    return 1;
  }
  template <typename T>
  static T add(T product, T element) {
    return wrapped_product(product, element);
  }
};

struct ReduceL1 : ReduceSum {
  template <typename T>
  static T add(T sum, T element) {
    return wrapped_sum(sum, magnitude(element));
  }
};

struct ReduceSumSquare : ReduceSum {
  template <typename T>
  static T add(T sum, T element) {
    return wrapped_sum(sum, wrapped_product(element, element));
  }
};

struct ReduceL2 : ReduceSumSquare {
  template <typename T>
  static T finish(T sum, uint32_t) {
    return root(sum);
  }
};

struct ReduceLogSum : ReduceSum {
  template <typename T>
  static T finish(T sum, uint32_t) {
    return logarithm(sum);
  }
};

// A NaN stays.
struct ReduceMax : ReduceSum {
  template <typename T>
  static T start(const ReduceTask&) {
    return smallest<T>();
  }
  template <typename T>
  static T add(T most, T element) {
    return element > most || is_nan(element) ? element : most;
  }
};

struct ReduceMin : ReduceSum {
  template <typename T>
  static T start(const ReduceTask& task) {
    return largest<T>(task);
  }
  template <typename T>
  static T add(T least, T element) {
    return element < least || is_nan(element) ? element : least;
  }
};

// Greater for what was less.
template <typename T>
T reversed(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return -x;
  } else {
    return static_cast<T>(~x);
  }
}

// The place of the greatest of the elements from x on, or with kLeast of the least: of equals the
// first, or with select_last the last. A NaN is better than any number.
template <bool kLeast, typename T>
uint32_t place_of_best(const ReduceTask& task, Src<T> x) {
  using V = Computed<T>;
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = RowCursor::rows(reduced, reduced.inner_dim());
  const ptrdiff_t along = reduced.inner_stride(1);
  V best = smallest<V>();
  uint32_t found = 0, place = 0;
  RowCursor cursor(reduced, reduced.inner_dim(), 0);
  for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
    Src<T> at = x + cursor.offset(1);
    for (uint32_t left = cursor.count(); left != 0; --left, at += along, ++place) {
      V element = static_cast<V>(T(*at));
      if constexpr (kLeast) element = reversed(element);
      if (element < best) continue;
      bool better = element > best;
      if (element == best) better = task.select_last;
      if (is_nan(element)) better = task.select_last || !is_nan(best);
      if (!better) continue;
      best = element;
      found = place;
    }
  }
  return found;
}

// Each block of results reads all of its input, then writes, as other reductions do.
template <typename T>
void arg_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const ReduceTask*>(argument);
  const NestedLoop& kept = task.kept;
  RowCursor at(kept, kBlock, first);
  for (; first < last; ++first, at.next()) {
    uint32_t places[kBlock] = {};
    Src<T> x = as<T>(task.x) + at.offset(1);
    for (uint32_t j = 0; j < at.count() && !task.empty; ++j, x += kept.inner_stride(1)) {
      places[j] = task.least ? place_of_best<true>(task, x) : place_of_best<false>(task, x);
    }
    Dst<int64_t> y = as<int64_t>(task.y) + at.offset(0);
    for (uint32_t j = 0; j < at.count(); ++j, y += kept.inner_stride(0)) *y = places[j];
  }
}

template <typename Member, typename T>
void reduce_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  using V = Computed<T>;
  using Result = decltype(Member::template start<V>(std::declval<const ReduceTask&>()));
  using Finished = decltype(Member::finish(Result{}, 0));
  using Y = std::conditional_t<std::is_same_v<Finished, V>, T, Finished>;
  const auto& task = *static_cast<const ReduceTask*>(argument);
  reduce_blocks<T, Y>(
      task, first, last, [&] { return Member::template start<V>(task); },
      [](Result result, T element) { return Member::add(result, static_cast<V>(element)); },
      [](Result result, uint32_t count) { return Member::finish(result, count); });
}

// They search, and have no functions of those above.
struct ArgMax {};
struct ArgMin {};

template <typename Member, typename T>
constexpr PieceFunction items_of() {
  if constexpr (std::is_same_v<Member, ArgMax> || std::is_same_v<Member, ArgMin>) {
    return arg_items<T>;
  } else {
    return reduce_items<Member, T>;
  }
}

uint64_t reduce_distance(const Step& step, uint32_t) {
  return reduction_distance(step, axes_of(step));
}

template <typename Member, TypeSet kTypes>
Status run_reduce(const Step& step, const Platform& platform) {
  ReduceTask task(step);
  for_number<kTypes>(step.input(0).dtype(), [&]<typename T>() {
    run_reduction(task, platform, items_of<Member, T>(), &task);
  });
  return ok_status();
}

template <typename Member, TypeSet kTypes>
constexpr Form reduce_form(Op op, uint8_t number) {
  return make_form(
      op, number,
      {.parallel = true, .safe_distance = reduce_distance, .run = run_reduce<Member, kTypes>});
}

}  // namespace

#define ARENITE_OP_reduce(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, reduce_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
