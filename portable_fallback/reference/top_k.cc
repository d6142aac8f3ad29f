// TopK: the k best of each row, kept in a heap in the very places of the results, then sorted there
// (Williams, 1964): no scratch, and n log k comparisons.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct TopK {
  Tensor x;
  OutTensor values, indices;
  TopKAttributes attributes;
  NestedLoop rows;  // operands values, x, indices
};

template <typename T>
struct Found {
  T value;
  int64_t index;
};

// Whether `a` comes before `b`. A NaN is the greatest; equal ones lie in the order of x.
template <typename T>
bool is_before(const Found<T>& a, const Found<T>& b, bool smallest) {
  using Number = Computed<T>;
  const auto x = static_cast<Number>(a.value);
  const auto y = static_cast<Number>(b.value);
  const bool x_nan = x != x;
  const bool y_nan = y != y;
  if (x_nan || y_nan) {
    if (x_nan != y_nan) return x_nan != smallest;
  } else if (x != y) {
    return smallest ? x < y : x > y;
  }
  return a.index < b.index;
}

// The results of a row: a heap whose root is the last of them in order.
template <typename T>
class Heap {
 public:
  Heap(const TopK& task, const RowCursor& row)
      : values_(task.values.write<T>() + row.offset(0)),
        indices_(task.indices.write<int64_t>() + row.offset(2)),
        value_step_(signed_stride(task.values, task.attributes.axis)),
        index_step_(signed_stride(task.indices, task.attributes.axis)),
        smallest_(task.attributes.smallest != 0) {}

  Found<T> get(uint32_t i) const {
    return {T(values_[static_cast<ptrdiff_t>(i) * value_step_]),
            int64_t{indices_[static_cast<ptrdiff_t>(i) * index_step_]}};
  }
  void set(uint32_t i, const Found<T>& found) {
    values_[static_cast<ptrdiff_t>(i) * value_step_] = found.value;
    indices_[static_cast<ptrdiff_t>(i) * index_step_] = found.index;
  }
  bool is_before(const Found<T>& a, const Found<T>& b) const {
    return arenite::is_before(a, b, smallest_);
  }
  bool smallest() const { return smallest_; }
  // Puts `found` at `i` or below, in a heap of `size`, where children come before their parents.
  void sift_down(uint32_t i, uint32_t size, const Found<T>& found) {
    for (uint32_t child = 2 * i + 1; child < size; child = 2 * i + 1) {
      Found<T> later = get(child);
      if (child + 1 < size) {
        const Found<T> other = get(child + 1);
        if (is_before(later, other)) {
          later = other;
          ++child;
        }
      }
      if (!is_before(found, later)) break;
      set(i, later);
      i = child;
    }
    set(i, found);
  }

 private:
  Dst<T> values_;
  Dst<int64_t> indices_;
  ptrdiff_t value_step_, index_step_;
  bool smallest_;
};

// Puts elements [k, count) of a row into the heap of the k before them. Most are no better than its
// root, which one comparison of numbers tells; a NaN on either side is left to is_before.
template <typename T>
void take_rest(Heap<T>& heap, Src<T> x, ptrdiff_t x_step, uint32_t k, uint32_t count) {
  using Number = Computed<T>;
  const bool smallest = heap.smallest();
  Found<T> root = heap.get(0);
  auto worst = static_cast<Number>(root.value);
  x += static_cast<ptrdiff_t>(k) * x_step;
  for (uint32_t i = k; i < count; ++i, x += x_step) {
    const T element = *x;
    const auto number = static_cast<Number>(element);
    if (smallest ? number >= worst : number <= worst) continue;
    const Found<T> next = {element, int64_t{i}};
    if (!heap.is_before(next, root)) continue;
    heap.sift_down(0, k, next);
    root = heap.get(0);
    worst = static_cast<Number>(root.value);
  }
}

// Sorts a row that has few different numbers, as flags are: finds those that are first in order,
// then the next ones, and so on. Returns false where a sixteenth of the row is not found at a time,
// as where there are NaNs, which equal nothing.
template <typename T>
bool sort_few_numbers(Heap<T>& heap, Src<T> x, ptrdiff_t x_step, uint32_t count) {
  using Number = Computed<T>;
  const bool smallest = heap.smallest();
  const auto is_better = [&](Number a, Number b) { return smallest ? a < b : a > b; };
  auto next = static_cast<Number>(T(*x));
  Src<T> from = x;
  for (uint32_t i = 0; i < count; ++i, from += x_step) {
    const auto number = static_cast<Number>(T(*from));
    if (is_better(number, next)) next = number;
  }
  uint32_t found = 0;
  for (uint32_t least = count / 16; found != count; least += count / 16) {
    const Number value = next;
    bool has_next = false;
    from = x;
    for (uint32_t i = 0; i < count; ++i, from += x_step) {
      const T element = *from;
      const auto number = static_cast<Number>(element);
      if (number == value && found != count) {
        heap.set(found++, {element, int64_t{i}});
      } else if (is_better(value, number) && (!has_next || is_better(number, next))) {
        next = number;
        has_next = true;
      }
    }
    if (found != count && (!has_next || found < least)) return false;
  }
  return true;
}

template <typename T>
void top_k_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const TopK*>(argument);
  const uint32_t axis = task.attributes.axis;
  const uint32_t k = task.values.dims[axis];
  const ptrdiff_t x_step = signed_stride(task.x, axis);
  RowCursor row(task.rows, 1, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Src<T> x = task.x.read<T>() + row.offset(1);
    Heap<T> heap(task, row);
    if (k == task.x.dims[axis] && sort_few_numbers(heap, x, x_step, k)) continue;
    for (uint32_t i = 0; i < k; ++i) {
      heap.set(i, {T(x[static_cast<ptrdiff_t>(i) * x_step]), int64_t{i}});
    }
    for (uint32_t i = k / 2; i-- > 0;) heap.sift_down(i, k, heap.get(i));
    take_rest(heap, x, x_step, k, task.x.dims[axis]);
    for (uint32_t left = k; left-- > 1;) {
      const Found<T> end = heap.get(left);
      heap.set(left, heap.get(0));
      heap.sift_down(0, left, end);
    }
  }
}

template <TypeSet kTypes>
Status run_top_k(const Step& step, const Platform& platform) {
  TopK task = {
      step.input(0), step.output(0), step.output(1), step.attributes<TopKAttributes>(), {}};
  if (is_empty(task.values)) return ok_status();
  for (uint32_t d = 0; d < task.x.rank(); ++d) {
    if (d == task.attributes.axis) continue;
    task.rows.add(task.x.dims[d], signed_stride(task.values, d), signed_stride(task.x, d),
                  signed_stride(task.indices, d));
  }
  task.rows.merge();
  for_number<kTypes>(task.x.dtype(), [&]<typename T>() {
    split(platform, task.rows.size(), element_count(task.x) * 4, top_k_items<T>, &task);
  });
  return ok_status();
}

struct AnyTopK;
template <typename, TypeSet kTypes>
constexpr Form top_k_form(Op op, uint8_t number) {
  return make_form(op, number, {.parallel = true, .run = run_top_k<kTypes>});
}

}  // namespace

ARENITE_REFERENCE_FORMS(TopK, AnyTopK, top_k_form)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
