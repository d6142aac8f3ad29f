// y = d / norm * scale + bias along some axes: layer, instance, group, root mean square and Lp
// normalization. Two passes measure (the mean, then the norm of the differences to it), a third
// writes. Sums are made in eight parts, element by element in turn, so that they are exact to few
// ulp and can be vectorized; they are the same however the elements lie.
#include <cstdint>
#include <type_traits>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

enum Operand : uint32_t { kY, kX, kScale, kBias, kOperands };
static_assert(kOperands == NestedLoop::kOperands);

constexpr uint32_t kParts = 8;

struct Task {
  explicit Task(const Step& step);

  Src<std::byte> inputs[kOperands] = {};  // kY is none
  Dst<std::byte> y;
  NestedLoop kept;  // of items: `lanes` neighboring rows each
  NestedLoop axes;  // in logical order, in which sums are made
  uint32_t lanes = 1;
  ptrdiff_t lane_strides[kOperands] = {};
  bool has_scale, has_bias;
  NormalizeAttributes attributes;
};

Task::Task(const Step& step)
    : y(step.output(0).write<std::byte>()),
      has_scale(step.has_input(1)),
      has_bias(step.has_input(2)),
      attributes(step.attributes<NormalizeAttributes>()) {
  const OutTensor to = step.output(0);
  Tensor from[kOperands];
  for (uint32_t i = kX; i < kOperands; ++i) {
    if (!step.has_input(i - kX)) continue;
    from[i] = step.input(i - kX);
    inputs[i] = from[i].read<std::byte>();
  }
  const auto stride = [&](uint32_t i, uint32_t d) {
    return step.has_input(i - kX) ? signed_stride(from[i], d) : 0;
  };
  for (uint32_t d = 0; d < to.rank(); ++d) {
    NestedLoop& loop = (attributes.axes >> d & 1u) != 0 ? axes : kept;
    loop.add(to.dims[d], signed_stride(to, d), stride(kX, d), stride(kScale, d), stride(kBias, d));
  }
  kept.sort();
  kept.merge();
  axes.merge();
  // Rows whose elements are neighbors go side by side.
  if (axes.inner_stride(kX) == 1 || kept.inner_stride(kX) != 1 || kept.inner_stride(kY) != 1) {
    return;
  }
  lanes = kBlock;
  while (kept.inner_dim() % lanes != 0) lanes /= 2;
  const uint32_t inner = kept.rank - 1;
  kept.dims[inner] /= lanes;
  for (uint32_t i = 0; i < kOperands; ++i) {
    lane_strides[i] = kept.strides[i][inner];
    kept.strides[i][inner] *= static_cast<ptrdiff_t>(lanes);
  }
}

// Normalizes up to kLanes neighboring rows.
template <typename T, uint32_t kLanes>
class Item {
  using V = Computed<T>;

 public:
  Item(const Task& task, const RowCursor& at)
      : task_(task),
        y_(as<T>(task.y) + at.offset(kY)),
        x_(as<T>(task.inputs[kX]) + at.offset(kX)),
        scale_(task.has_scale ? as<T>(task.inputs[kScale]) + at.offset(kScale) : Src<T>{}),
        bias_(task.has_bias ? as<T>(task.inputs[kBias]) + at.offset(kBias) : Src<T>{}),
        lanes_(kLanes == 1 ? 1 : task.lanes) {}

  void run() {
    const auto count = static_cast<V>(task_.axes.size());
    const Norm norm = task_.attributes.norm;
    if (norm == Norm::kDeviation) {
      add_up(means_, [](V x, V) { return x; });
      for (uint32_t j = 0; j < lanes_; ++j) means_[j] /= count;
    }
    if (norm == Norm::kMagnitudes) {
      add_up(norms_, [](V x, V) { return x < 0 ? V{0} - x : x; });
    } else {
      add_up(norms_, [](V x, V mean) { return (x - mean) * (x - mean); });
      for (uint32_t j = 0; j < lanes_; ++j) {
        const V square = norm == Norm::kSquares ? norms_[j] : norms_[j] / count;
        norms_[j] = root(square + static_cast<V>(task_.attributes.epsilon));
      }
    }
    for (uint32_t j = 0; j < lanes_; ++j) {
      const V made = norms_[j] + static_cast<V>(task_.attributes.margin);
      const auto least = static_cast<V>(task_.attributes.least);
      norms_[j] = made < least ? least : made;
    }
    write();
  }

 private:
  static float root(float x) { return x < 0.0f ? kNan : sqrt_f32(x); }
  static double root(double x) { return sqrt_f64(x); }

  // totals[j] = the sum over lane j of term(x, means_[j]).
  template <typename F>
  void add_up(V* totals, F term) {
    V sums[kParts][kLanes] = {};
    uint32_t part = 0;
    const ptrdiff_t along = task_.axes.inner_stride(kX);
    for_rows(task_.axes, [&](const RowCursor& at) {
      Src<T> x = x_ + at.offset(kX);
      uint32_t left = at.count();
      while (left != 0) {
        if constexpr (kLanes == 1) {
          if (part == 0 && along == 1 && left >= kParts) {
            for (; left >= kParts; left -= kParts, x += kParts) {
#pragma GCC unroll 8
              for (uint32_t j = 0; j < kParts; ++j) {
                sums[j][0] += term(static_cast<V>(T(x[j])), means_[0]);
              }
            }
            continue;
          }
        }
        if (lanes_ == kLanes) {
          for (uint32_t j = 0; j < kLanes; ++j) {
            sums[part][j] += term(static_cast<V>(T(x[j])), means_[j]);
          }
        } else {
          for (uint32_t j = 0; j < lanes_; ++j) {
            sums[part][j] += term(static_cast<V>(T(x[j])), means_[j]);
          }
        }
        part = (part + 1) % kParts;
        --left;
        x += along;
      }
    });
    for (uint32_t j = 0; j < lanes_; ++j) {
      const V low = (sums[0][j] + sums[1][j]) + (sums[2][j] + sums[3][j]);
      const V high = (sums[4][j] + sums[5][j]) + (sums[6][j] + sums[7][j]);
      totals[j] = low + high;
    }
  }

  void write() {
    const NestedLoop& axes = task_.axes;
    // Only float32 has this path: the other types are rare, and it would be large code for each.
    constexpr bool kIsFloat = std::is_same_v<T, float> && kLanes == 1;
    const bool are_neighbors = kIsFloat && axes.inner_stride(kX) == 1 &&
                               axes.inner_stride(kY) == 1 && lies_evenly(kScale) &&
                               lies_evenly(kBias);
    for_rows(axes, [&](const RowCursor& at) {
      uint32_t i = 0;
      if constexpr (kIsFloat) {
        for (; are_neighbors && at.count() - i >= kParts; i += kParts) write_part(at, i);
      }
      for (; i < at.count(); ++i) {
        const auto step = static_cast<ptrdiff_t>(i);
        Src<T> x = x_ + at.offset(kX) + step * axes.inner_stride(kX);
        Dst<T> y = y_ + at.offset(kY) + step * axes.inner_stride(kY);
        const ptrdiff_t scale = at.offset(kScale) + step * axes.inner_stride(kScale);
        const ptrdiff_t bias = at.offset(kBias) + step * axes.inner_stride(kBias);
        for (uint32_t j = 0; j < lanes_; ++j) {
          const auto lane = static_cast<ptrdiff_t>(j);
          const V d = static_cast<V>(T(x[lane])) - means_[j];
          V v = norms_[j] == 0 ? V{0} : d / norms_[j];
          if (task_.has_scale) v *= static_cast<V>(T(scale_[scale + lane * lane_stride(kScale)]));
          if (task_.has_bias) v += static_cast<V>(T(bias_[bias + lane * lane_stride(kBias)]));
          y[lane] = v;
        }
      }
    });
  }

  // Returns whether the operand has stride 1 along the axes, or one element for all.
  bool lies_evenly(Operand operand) const {
    const ptrdiff_t stride = task_.axes.inner_stride(operand);
    return stride == 1 || stride == 0;
  }

  // Writes kParts neighbors as vectors, from element `i` of a row on; y may be x.
  void write_part(const RowCursor& at, uint32_t i) {
    const auto step = static_cast<ptrdiff_t>(i);
    Src<T> x = x_ + at.offset(kX) + step;
    V results[kParts];
    for (uint32_t j = 0; j < kParts; ++j) {
      const V d = static_cast<V>(T(x[j])) - means_[0];
      results[j] = norms_[0] == 0 ? V{0} : d / norms_[0];
    }
    V numbers[kParts];
    if (task_.has_scale) {
      part_of(scale_ + at.offset(kScale), kScale, step, numbers);
      for (uint32_t j = 0; j < kParts; ++j) results[j] *= numbers[j];
    }
    if (task_.has_bias) {
      part_of(bias_ + at.offset(kBias), kBias, step, numbers);
      for (uint32_t j = 0; j < kParts; ++j) results[j] += numbers[j];
    }
    Dst<T> y = y_ + at.offset(kY) + step;
    for (uint32_t j = 0; j < kParts; ++j) y[j] = results[j];
  }

  void part_of(Src<T> row, Operand operand, ptrdiff_t step, V (&numbers)[kParts]) const {
    if (task_.axes.inner_stride(operand) == 1) {
      row += step;
      for (uint32_t j = 0; j < kParts; ++j) numbers[j] = static_cast<V>(T(row[j]));
    } else {
      for (uint32_t j = 0; j < kParts; ++j) numbers[j] = static_cast<V>(T(*row));
    }
  }

  ptrdiff_t lane_stride(Operand operand) const { return task_.lane_strides[operand]; }

  const Task& task_;
  Dst<T> y_;
  Src<T> x_, scale_, bias_;
  const uint32_t lanes_;
  V means_[kLanes] = {};  // 0 where x is taken as it is
  V norms_[kLanes] = {};
};

template <typename T>
void normalize_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  RowCursor at(task.kept, 1, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    if (task.lanes == 1) {
      Item<T, 1>(task, at).run();
    } else {
      Item<T, kBlock>(task, at).run();
    }
  }
}

template <TypeSet kTypes>
Status run_normalize(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  Task task(step);
  PieceFunction items = nullptr;
  for_number<kTypes>(y.dtype(), [&]<typename T>() { items = normalize_items<T>; });
  split(platform, task.kept.size(), element_count(y) * 4, items, &task);
  return ok_status();
}

// Each item reads all of its input, then reads again as it writes.
uint64_t normalize_distance(const Step& step, uint32_t input) {
  const OutTensor y = step.output(0);
  DistanceWalk walk;
  if (is_empty(y)) return 0;
  const Task task(step);
  const uint32_t bytes = element_bytes(y.dtype());
  const uint32_t operand = kX + input;
  DistanceNest nest(bytes);
  if (task.lanes != 1) {
    nest.add(DistanceLoop::even(task.lanes, bytes, int64_t{task.lane_strides[operand]} * bytes));
  }
  nest.add(task.axes, operand, bytes);
  nest.add(task.kept, operand, bytes);
  walk.nest(nest);
  return walk.bytes();
}

template <typename, TypeSet kTypes>
constexpr Form normalize_form(Op op, uint8_t number) {
  return make_form(op, number,
                   {.parallel = true,
                    .in_place = kAnyPlace,
                    .safe_distance = normalize_distance,
                    .run = run_normalize<kTypes>});
}

}  // namespace

ARENITE_REFERENCE_FORMS(Normalize, Task, normalize_form)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
