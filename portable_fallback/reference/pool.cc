// Family pool: each output from the taps of its window. A member is a struct of the operator's
// Type, made for each run of pool_items: kStart<T>, add(so far, tap), and finish(result, scale),
// the scale being a number for each window. 16-bit floats are rounded once, at the end.
#include <limits>
#include <type_traits>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/power.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// NaN is greater than any number: it reaches the output.
template <typename T>
bool is_greater(T a, T b) {
  return a > b || is_nan(a);
}

struct MaxPool {
  explicit MaxPool(const PoolAttributes&) {}
  template <typename T>
  static constexpr T kStart = std::numeric_limits<T>::has_infinity
                                  ? -std::numeric_limits<T>::infinity()
                                  : std::numeric_limits<T>::lowest();
  template <typename T>
  static T add(T best, T tap) {
    return is_greater(tap, best) ? tap : best;
  }
  static float scale(const Pool&, const PoolWindow&) { return 1.0f; }
  template <typename T>
  static T finish(T best, float) {
    return best;
  }
};

struct AveragePool {
  explicit AveragePool(const PoolAttributes&) {}
  template <typename T>
  static constexpr T kStart = 0;
  template <typename T>
  static T add(T sum, T tap) {
    return sum + tap;
  }
  // Elements a window counts: those inside the input and, if asked, inside the padding.
  static float scale(const Pool& pool, const PoolWindow& at) {
    float count = 1.0f;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      Taps taps = at.taps[axis];
      if (pool.attributes.count_include_pad != 0) {
        const Window& window = pool.windows[axis];
        taps = window.taps_within(
            at.start[axis], -static_cast<int32_t>(window.pad_begin),
            static_cast<int32_t>(pool.x.dims[2 + axis] + pool.attributes.pad_end[axis]));
      }
      count *= static_cast<float>(taps.end - taps.begin);
    }
    return count;
  }
  template <typename T>
  static T finish(T sum, float count) {
    return sum / static_cast<T>(count);
  }
};

// The p-th root of the sum of p-th powers.
class LpPool {
 public:
  explicit LpPool(const PoolAttributes& attributes) : p_(attributes.p) {}
  template <typename T>
  static constexpr T kStart = 0;
  template <typename T>
  T add(T sum, T tap) const {
    const T a = magnitude(tap);
    return sum + (p_ == 1 ? a : p_ == 2 ? a * a : power(a, static_cast<T>(p_)));
  }
  static float scale(const Pool&, const PoolWindow&) { return 1.0f; }
  template <typename T>
  T finish(T sum, float) const {
    if (p_ == 1) return sum;
    return p_ == 2 ? root(sum) : power(sum, T{1} / static_cast<T>(p_));
  }

 private:
  static float magnitude(float x) { return abs_f32(x); }
  static double magnitude(double x) { return __builtin_fabs(x); }
  static float power(float x, float y) { return pow_f32(x, y); }
  static double power(double x, double y) { return pow_f64(x, y); }
  static float root(float x) { return sqrt_f32(x); }
  static double root(double x) { return sqrt_f64(x); }

  uint32_t p_;
};

template <typename Member, typename T>
void pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const Pool*>(argument);
  const Member member(pool.attributes);
  using V = Computed<T>;
  Src<T> x = pool.x.read<T>();
  Dst<T> y = pool.y.write<T>();
  const size_t x_c = pool.x.strides[1];
  const size_t y_c = pool.y.strides[1];
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    V result[kBlock];
    for (V& v : result) v = Member::template kStart<V>;
    if (x_c == 1 && at.count == kBlock) {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        Src<T> from = x + offset;
#pragma GCC unroll 16
        for (uint32_t j = 0; j < kBlock; ++j) {
          result[j] = member.add(result[j], static_cast<V>(T(from[j])));
        }
      });
    } else {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        for (uint32_t j = 0; j < at.count; ++j) {
          const T tap = x[offset + j * x_c];
          result[j] = member.add(result[j], static_cast<V>(tap));
        }
      });
    }
    const float scale = Member::scale(pool, at);
    for (uint32_t j = 0; j < at.count; ++j) y[at.y + j * y_c] = member.finish(result[j], scale);
  });
}

// Fills output 1 with the place of each maximum: the first position that holds it, channel by
// channel; -1 for a window outside the input.
template <typename T>
void find_indices(const Pool& pool, const OutTensor& out) {
  Src<T> x = pool.x.read<T>();
  const uint32_t* dims = pool.x.dims;
  const int64_t size = int64_t{dims[2]} * dims[3] * dims[4];
  // for_windows walks outputs by the strides of the pool's y, so that is put in its place.
  Pool walk = pool;
  walk.y = out;
  for_windows(walk, 0, walk.items, [&](const PoolWindow& at) {
    for (uint32_t j = 0; j < at.count; ++j) {
      int64_t index = -1;
      Computed<T> best{};
      for_taps(walk, at, [&](size_t offset, uint32_t d, uint32_t h, uint32_t w) {
        const T tap = x[offset + j * size_t{walk.x.strides[1]}];
        const auto v = static_cast<Computed<T>>(tap);
        // After a NaN nothing is greater.
        if (index >= 0 && (is_nan(best) || !is_greater(v, best))) return;
        best = v;
        index = walk.attributes.column_major != 0 ? (int64_t{w} * dims[3] + h) * dims[2] + d
                                                  : (int64_t{d} * dims[3] + h) * dims[4] + w;
      });
      if (index >= 0) {
        index += (int64_t{at.index[0]} * dims[1] + at.index[1] + j) * size;
      }
      out.write<int64_t>()[at.y + j * size_t{out.strides[1]}] = index;
    }
  });
}

template <typename Member, TypeSet kTypes>
Status run_pool(const Step& step, const Platform& platform) {
  Pool pool(step, step.serial());
  for_number<kTypes>(pool.x.dtype(), [&]<typename T>() {
    split(platform, pool.items, pool.work, pool_items<Member, T>, &pool);
    if constexpr (std::is_same_v<Member, MaxPool>) {
      if (step.output_count() > 1) find_indices<T>(pool, step.output(1));
    }
  });
  return ok_status();
}

template <typename Member, TypeSet kTypes>
constexpr Form pool_form(Op op, uint8_t number) {
  return make_form(
      op, number,
      {.parallel = true, .safe_distance = pool_distance, .run = run_pool<Member, kTypes>});
}

}  // namespace

#define ARENITE_OP_pool(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, pool_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
