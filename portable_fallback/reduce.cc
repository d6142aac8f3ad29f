// Family reduce: each output from the elements of the input along axes, in their order, up to
// sixteen outputs side by side. A member is a struct of the operator's Type: kStart<T>, add(so far,
// element), and finish(result, count).
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/math.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"
#include "portable_fallback/typed.h"

namespace arenite {
namespace {

struct ReduceSum {
  template <typename T>
  static constexpr T kStart = 0;
  template <typename T>
  static T add(T sum, T element) {
    return sum + element;
  }
  template <typename T>
  static T finish(T sum, float) {
    return sum;
  }
};

struct ReduceMean : ReduceSum {
  template <typename T>
  static T finish(T sum, float count) {
    return sum / count;
  }
};

struct ReduceProd : ReduceSum {
  template <typename T>
  static constexpr T kStart = 1;
  template <typename T>
  static T add(T product, T element) {
    return product * element;
  }
};

struct ReduceL1 : ReduceSum {
  template <typename T>
  static T add(T sum, T element) {
    return sum + abs_f32(element);
  }
};

struct ReduceSumSquare : ReduceSum {
  template <typename T>
  static T add(T sum, T element) {
    return sum + element * element;
  }
};

struct ReduceL2 : ReduceSumSquare {
  template <typename T>
  static T finish(T sum, float) {
    return sqrt_f32(sum);
  }
};

struct ReduceLogSum : ReduceSum {
  template <typename T>
  static T finish(T sum, float) {
    return log_f32(sum);
  }
};

// A NaN stays.
struct ReduceMax : ReduceSum {
  template <typename T>
  static constexpr T kStart = -kInfinity;
  template <typename T>
  static T add(T most, T element) {
    return element > most || element != element ? element : most;
  }
};

struct ReduceMin : ReduceSum {
  template <typename T>
  static constexpr T kStart = kInfinity;
  template <typename T>
  static T add(T least, T element) {
    return element < least || element != element ? element : least;
  }
};

struct Reduction {
  Reduction(const Step& step, const Tensor& from, const OutTensor& to);

  Src<std::byte> x;
  Dst<std::byte> y;
  NestedLoop kept;     // operands y, x
  NestedLoop reduced;  // operand 1 is x; in logical order
  bool empty;          // nothing to add up
};

Reduction::Reduction(const Step& step, const Tensor& from, const OutTensor& to)
    : x(from.read<std::byte>()), y(to.write<std::byte>()), empty(is_empty(from)) {
  const uint32_t axes = step.attributes<ReduceAttributes>().axes;
  for (uint32_t d = 0; d < to.rank; ++d) {
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
  const auto& task = *static_cast<const Reduction*>(argument);
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const float size = task.empty ? 0.0f : static_cast<float>(reduced.size());
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  const ptrdiff_t along = reduced.inner_stride(1);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    const bool full = count == kBlock && x_step == 1;
    T results[kBlock];
    for (T& result : results) result = Member::template kStart<T>;
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      Src<T> x = as<T>(task.x) + at.offset(1) + cursor.offset(1);
      for (uint32_t left = cursor.count(); left != 0; --left, x += along) {
        if (full) {
#pragma GCC unroll 16
          for (uint32_t j = 0; j < kBlock; ++j) results[j] = Member::add(results[j], T{x[j]});
        } else {
          for (uint32_t j = 0; j < count; ++j) {
            results[j] = Member::add(results[j], T{x[static_cast<ptrdiff_t>(j) * x_step]});
          }
        }
      }
    }
    Dst<T> y = as<T>(task.y) + at.offset(0);
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
  const Reduction task(step, step.input(0), y);
  if (task.empty) return 0;
  const uint32_t bytes = element_bytes(y.dtype);
  walk_loop(walk, task.kept, 1, {.y_bytes = bytes, .x_bytes = bytes}, kBlock);
  return walk.bytes();
}

template <typename Member, TypeSet kTypes>
Status run_reduce(const Step& step, const Platform& platform) {
  PieceFunction items = nullptr;
  for_type<kTypes>(step.output(0).dtype, [&]<typename T>() { items = reduce_items<Member, T>; });
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
