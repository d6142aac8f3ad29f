// Family reduce: each output from the elements of the input along axes, in their order, up to
// sixteen outputs side by side. A member is a struct of the operator's Type: start<T>(of the task),
// add(so far, element), and finish(result, count), a template over the type computed with. Integers
// wrap; 16-bit floats are rounded once, at the end.
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

// The best of the elements so far, and its place.
template <typename T>
struct Found {
  T best;
  uint32_t place, seen;
  bool select_last, least;

  bool beats(T a, T b) const { return (least ? a < b : a > b) || (is_nan(a) && !is_nan(b)); }
};

struct Arg {
  template <typename T>
  static Found<T> start(const ReduceTask& task) {
    return {T{}, 0, 0, task.select_last, task.least};
  }
  template <typename T>
  static Found<T> add(Found<T> found, T element) {
    const bool better = found.seen == 0 || (found.select_last ? !found.beats(found.best, element)
                                                              : found.beats(element, found.best));
    if (better) {
      found.best = element;
      found.place = found.seen;
    }
    ++found.seen;
    return found;
  }
  template <typename T>
  static int64_t finish(Found<T> found, uint32_t) {
    return found.place;
  }
};
using ArgMax = Arg;
using ArgMin = Arg;

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

uint64_t reduce_distance(const Step& step, uint32_t) {
  return reduction_distance(step, axes_of(step));
}

template <typename Member, TypeSet kTypes>
Status run_reduce(const Step& step, const Platform& platform) {
  ReduceTask task(step);
  for_number<kTypes>(step.input(0).dtype(), [&]<typename T>() {
    run_reduction(task, platform, reduce_items<Member, T>, &task);
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
