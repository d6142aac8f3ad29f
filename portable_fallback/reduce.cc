// Family reduce: each output from the elements of the input along axes, in their order, up to
// sixteen outputs side by side. A member is a struct of the operator's Type: start<T>(of the task),
// add(so far, element), and finish(result, count), a template over the type computed with. Integers
// wrap; 16-bit floats are rounded once, at the end.
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/block.h"
#include "portable_fallback/double_math.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/is_nan.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/math.h"
#include "portable_fallback/modular.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"
#include "portable_fallback/typed.h"

namespace arenite {
namespace {

struct Reduction {
  Reduction(const Step& step, const Tensor& from, const OutTensor& to);

  Src<std::byte> x;
  Dst<std::byte> y;
  NestedLoop kept;     // operands y, x
  NestedLoop reduced;  // operand 1 is x; in logical order
  bool empty;          // nothing to add up
  bool of_bools;
  bool select_last;  // of ArgAttributes
};

// Of bools, which are seen as bytes, the largest is 1.
template <typename T>
T largest(const Reduction& task) {
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
  static T start(const Reduction&) {
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
  static T start(const Reduction&) {
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
  static T start(const Reduction&) {
    return smallest<T>();
  }
  template <typename T>
  static T add(T most, T element) {
    return element > most || is_nan(element) ? element : most;
  }
};

struct ReduceMin : ReduceSum {
  template <typename T>
  static T start(const Reduction& task) {
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
  bool select_last;
};

// kSign: 1 where the greatest is wanted, -1 for the least.
template <int32_t kSign>
struct Arg {
  template <typename T>
  static Found<T> start(const Reduction& task) {
    return {T{}, 0, 0, task.select_last};
  }
  template <typename T>
  static bool beats(T a, T b) {
    return (kSign > 0 ? a > b : a < b) || (is_nan(a) && !is_nan(b));
  }
  template <typename T>
  static Found<T> add(Found<T> found, T element) {
    const bool better = found.seen == 0 || (found.select_last ? !beats(found.best, element)
                                                              : beats(element, found.best));
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
using ArgMax = Arg<1>;
using ArgMin = Arg<-1>;

Reduction::Reduction(const Step& step, const Tensor& from, const OutTensor& to)
    : x(from.read<std::byte>()),
      y(to.write<std::byte>()),
      empty(is_empty(from)),
      of_bools(from.dtype() == DType::kBool),
      select_last(step.attributes<ArgAttributes>().select_last != 0) {
  static_assert(offsetof(ArgAttributes, axes) == offsetof(ReduceAttributes, axes));
  const uint32_t axes = step.attributes<ReduceAttributes>().axes;
  for (uint32_t d = 0; d < to.rank(); ++d) {
    if ((axes >> d & 1u) == 0) {
      kept.add(to.dims[d], signed_stride(to, d), signed_stride(from, d));
    } else if (!empty) {
      reduced.add(from.dims[d], 0, signed_stride(from, d));
    }
  }
  kept.sort();
  kept.merge();
  reduced.merge();
}

template <typename Member, typename T>
void reduce_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  using V = Computed<T>;
  using Result = decltype(Member::template start<V>(std::declval<const Reduction&>()));
  using Finished = decltype(Member::finish(Result{}, 0));
  using Y = std::conditional_t<std::is_same_v<Finished, V>, T, Finished>;
  const auto& task = *static_cast<const Reduction*>(argument);
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const uint32_t size = task.empty ? 0 : reduced.size();
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  const ptrdiff_t along = reduced.inner_stride(1);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    const bool full = count == kBlock && x_step == 1;
    Result results[kBlock];
    for (Result& result : results) result = Member::template start<V>(task);
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      Src<T> x = as<T>(task.x) + at.offset(1) + cursor.offset(1);
      for (uint32_t left = cursor.count(); left != 0; --left, x += along) {
        if (full) {
#pragma GCC unroll 16
          for (uint32_t j = 0; j < kBlock; ++j) {
            results[j] = Member::add(results[j], static_cast<V>(T(x[j])));
          }
        } else {
          for (uint32_t j = 0; j < count; ++j) {
            const T element = x[static_cast<ptrdiff_t>(j) * x_step];
            results[j] = Member::add(results[j], static_cast<V>(element));
          }
        }
      }
    }
    Dst<Y> y = as<Y>(task.y) + at.offset(0);
    for (uint32_t j = 0; j < count; ++j, y += y_step) *y = Member::finish(results[j], size);
  }
}

Status run_reduction(const Step& step, const Platform& platform, PieceFunction items) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  Reduction task(step, x, y);
  const uint64_t work = element_count(y) * task.reduced.size();
  split(platform, RowCursor::rows(task.kept, kBlock), work, items, &task);
  return ok_status();
}

// Each block of results reads all of its input, then writes.
uint64_t reduce_distance(const Step& step, uint32_t) {
  const OutTensor y = step.output(0);
  DistanceWalk walk;
  if (is_empty(y)) return 0;
  const Tensor x = step.input(0);
  const Reduction task(step, x, y);
  if (task.empty) return 0;
  walk_loop(walk, task.kept, 1,
            {.y_bytes = element_bytes(y.dtype()), .x_bytes = element_bytes(x.dtype())}, kBlock);
  return walk.bytes();
}

template <typename Member, TypeSet kTypes>
Status run_reduce(const Step& step, const Platform& platform) {
  PieceFunction items = nullptr;
  for_number<kTypes>(step.input(0).dtype(), [&]<typename T>() { items = reduce_items<Member, T>; });
  return run_reduction(step, platform, items);
}

template <typename Member, TypeSet kTypes>
constexpr Form reduce_form(Op op, uint8_t number) {
  return {.op = op,
          .number = number,
          .parallel = true,
          .types = kTypes,
          .safe_distance = reduce_distance,
          .run = run_reduce<Member, kTypes>};
}

}  // namespace

#define ARENITE_OP_reduce(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, reduce_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
