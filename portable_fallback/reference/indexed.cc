// Family indexed: elements and slices read from places that indices name, or written to them.
#include "ops/indexed.h"

#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/index.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/move_elements.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

constexpr uint32_t kIndices = 1;
constexpr uint32_t kUpdates = 2;

struct Indexed {
  IndexedPlaces places;
  Tensor indices, whole, items;
  NestedLoop outer;  // operands: items, indices, whole (where no index says it)
  NestedLoop slice;  // operands: what is written, what is read

  explicit Indexed(const Step& step)
      : places(indexed_places(step)),
        indices(step.input(kIndices)),
        whole(is_scatter(step.op()) ? Tensor(step.output(0)) : step.input(0)),
        items(is_scatter(step.op()) ? step.input(kUpdates) : Tensor(step.output(0))) {
    const bool scatters = is_scatter(step.op());
    for (uint32_t d = 0; d < items.rank(); ++d) {
      const uint32_t at = places.whole_dim(d);
      const ptrdiff_t in_whole = at == kNoIndex ? 0 : signed_stride(whole, at);
      const ptrdiff_t in_items = signed_stride(items, d);
      if (d < places.outer) {
        outer.add(items.dims[d], in_items, signed_stride(indices, d), in_whole);
      } else {
        slice.add(items.dims[d], scatters ? in_whole : in_items, scatters ? in_items : in_whole);
      }
    }
    outer.merge();
    slice.sort();
    slice.merge();
  }

  // Elements from the whole's start to the place that the indices at `offset` name; false where one
  // of them lies outside. Each is read once: what is checked is what is used.
  bool find_place(ptrdiff_t offset, size_t& place) const {
    const size_t step = places.by_element ? 0 : indices.strides[places.outer];
    place = 0;
    for (uint32_t i = 0; i < places.tuple; ++i) {
      const uint32_t d = places.first + i;
      const int64_t given = read_index(indices, offset + static_cast<ptrdiff_t>(i * step));
      const uint32_t index = resolved_index(given, whole.dims[d]);
      if (index == whole.dims[d]) return false;
      place += size_t{index} * whole.strides[d];
    }
    return true;
  }
};

// Calls act(offset in the whole, offset in the items), in elements, for each place in order.
template <typename Act>
Status for_each_place(const Indexed& task, const Step& step, Act act) {
  const uint32_t count = task.outer.size();
  RowCursor at(task.outer, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    size_t place = 0;
    if (!task.find_place(at.offset(1), place)) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(kIndices)};
    }
    act(at.offset(2) + static_cast<ptrdiff_t>(place), at.offset(0));
  }
  return ok_status();
}

void move_slice(const Indexed& task, const Platform& platform, Dst<std::byte> to,
                Src<std::byte> from) {
  const uint32_t bytes = element_bytes(task.items.dtype());
  if (task.slice.size() == 1) return move_row({to, from, 1, 1, 1}, bytes);
  Move move = {to, from, bytes, task.slice};
  move_elements(platform, move);
}

// Elements whose places are found, then moved.
constexpr uint32_t kPlacesAtOnce = 32;

// Elements from the whole's start to the places that indices of a row name, one of an axis each;
// false where one of them lies outside.
template <typename Index>
bool find_places(const Indexed& task, Src<Index> indices, uint32_t count, size_t* places) {
  const uint32_t size = task.whole.dims[task.places.first];
  const size_t stride = task.whole.strides[task.places.first];
  const ptrdiff_t step = task.outer.inner_stride(1);
  bool inside = true;
  for (uint32_t i = 0; i < count; ++i, indices += step) {
    const uint32_t index = resolved_index(int64_t{Index(*indices)}, size);
    inside &= index != size;
    places[i] = index * stride;
  }
  return inside;
}

// Elements of a row between the whole and the items.
struct PlacedRow {
  Dst<std::byte> to;
  Src<std::byte> from;
  ptrdiff_t whole_step, items_step;
  uint32_t count;
  bool scatters;
};

template <typename T>
void move_placed(const PlacedRow& row, const size_t* places) {
  Dst<T> to = as<T>(row.to);
  Src<T> from = as<T>(row.from);
  const ptrdiff_t whole = row.whole_step, items = row.items_step;
  if (row.scatters) {
    for (uint32_t i = 0; i < row.count; ++i, to += whole, from += items) {
      const T moved = *from;
      to[static_cast<ptrdiff_t>(places[i])] = moved;
    }
  } else {
    for (uint32_t i = 0; i < row.count; ++i, to += items, from += whole) {
      const T moved = from[static_cast<ptrdiff_t>(places[i])];
      *to = moved;
    }
  }
}

void move_placed(const PlacedRow& row, uint32_t bytes, const size_t* places) {
  switch (bytes) {
    case 1:
      return move_placed<uint8_t>(row, places);
    case 2:
      return move_placed<uint16_t>(row, places);
    case 4:
      return move_placed<uint32_t>(row, places);
    default:
      return move_placed<uint64_t>(row, places);
  }
}

// Moves single elements between the whole and the items, in order: of several updates of a place
// the last one stays.
Status move_by_element(const Indexed& task, const Step& step, Dst<std::byte> to,
                       Src<std::byte> from) {
  const uint32_t bytes = element_bytes(task.items.dtype());
  const auto size = static_cast<ptrdiff_t>(bytes);
  PlacedRow row = {to, from, task.outer.inner_stride(2), task.outer.inner_stride(0), 0, false};
  row.scatters = is_scatter(step.op());
  RowCursor at(task.outer, kPlacesAtOnce, 0);
  for (uint32_t left = RowCursor::rows(task.outer, kPlacesAtOnce); left != 0; --left, at.next()) {
    size_t places[kPlacesAtOnce];
    row.count = at.count();
    const bool inside =
        task.indices.dtype() == DType::kInt32
            ? find_places(task, task.indices.read<int32_t>() + at.offset(1), row.count, places)
            : find_places(task, task.indices.read<int64_t>() + at.offset(1), row.count, places);
    if (!inside) return {Code::kIndexOutOfRange, step.index(), step.input_value(kIndices)};
    row.to = to + at.offset(row.scatters ? 2 : 0) * size;
    row.from = from + at.offset(row.scatters ? 0 : 2) * size;
    move_placed(row, bytes, places);
  }
  return ok_status();
}

Status run_gather(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const Indexed task(step);
  if (task.places.by_element) {
    return move_by_element(task, step, y.write<std::byte>(), task.whole.read<std::byte>());
  }
  const auto bytes = static_cast<ptrdiff_t>(element_bytes(y.dtype()));
  return for_each_place(task, step, [&](ptrdiff_t in_whole, ptrdiff_t in_items) {
    move_slice(task, platform, y.write<std::byte>() + in_items * bytes,
               task.whole.read<std::byte>() + in_whole * bytes);
  });
}

// The data as y lies, or nothing where they are in its very place.
Move data_move(const Step& step) {
  const Tensor data = step.input(0);
  const OutTensor y = step.output(0);
  Move move = {y.write<std::byte>(), data.read<std::byte>(), element_bytes(y.dtype()), {}};
  for (uint32_t d = 0; d < y.rank(); ++d) {
    move.loop.add(y.dims[d], signed_stride(y, d), signed_stride(data, d));
  }
  return move;
}

struct AddUpdate {
  template <typename T>
  static T apply(T a, T b) {
    return wrapped_sum(a, b);
  }
};
struct MulUpdate {
  template <typename T>
  static T apply(T a, T b) {
    return wrapped_product(a, b);
  }
};
// A NaN of either stays.
struct MinUpdate {
  template <typename T>
  static T apply(T a, T b) {
    return b < a || b != b ? b : a;
  }
};
struct MaxUpdate {
  template <typename T>
  static T apply(T a, T b) {
    return b > a || b != b ? b : a;
  }
};

template <typename Reduction, typename T>
Status reduce_updates(const Indexed& task, const Step& step) {
  const OutTensor y = step.output(0);
  const uint32_t rows = RowCursor::rows(task.slice, kRowPiece);
  return for_each_place(task, step, [&](ptrdiff_t in_whole, ptrdiff_t in_items) {
    RowCursor row(task.slice, kRowPiece, 0);
    for (uint32_t i = 0; i < rows; ++i, row.next()) {
      Dst<T> to = y.write<T>() + in_whole + row.offset(0);
      Src<T> from = task.items.read<T>() + in_items + row.offset(1);
      for (uint32_t j = row.count(); j != 0;
           --j, to += task.slice.inner_stride(0), from += task.slice.inner_stride(1)) {
        using Number = Computed<T>;
        const auto before = static_cast<Number>(T(*to));
        *to = static_cast<T>(Reduction::apply(before, static_cast<Number>(T(*from))));
      }
    }
  });
}

template <typename T>
Status reduce_updates(const Indexed& task, const Step& step, IndexedReduction reduction) {
  switch (reduction) {
    case IndexedReduction::kAdd:
      return reduce_updates<AddUpdate, T>(task, step);
    case IndexedReduction::kMul:
      return reduce_updates<MulUpdate, T>(task, step);
    case IndexedReduction::kMin:
      return reduce_updates<MinUpdate, T>(task, step);
    default:
      return reduce_updates<MaxUpdate, T>(task, step);
  }
}

template <TypeSet kTypes>
Status run_scatter(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const Tensor data = step.input(0);
  if (data.data != y.out || !same_elements(data, y)) {
    Move move = data_move(step);
    move_elements(platform, move);
  }
  if (is_empty(step.input(kUpdates))) return ok_status();
  const Indexed task(step);
  const auto reduction =
      static_cast<IndexedReduction>(step.attributes<IndexedAttributes>().reduction);
  if (reduction == IndexedReduction::kNone) {
    if (task.places.by_element) {
      return move_by_element(task, step, y.write<std::byte>(), task.items.read<std::byte>());
    }
    // In order: of several updates of a place the last one stays.
    const auto bytes = static_cast<ptrdiff_t>(element_bytes(y.dtype()));
    return for_each_place(task, step, [&](ptrdiff_t in_whole, ptrdiff_t in_items) {
      move_slice(task, platform, y.write<std::byte>() + in_whole * bytes,
                 task.items.read<std::byte>() + in_items * bytes);
    });
  }
  Status status = ok_status();
  for_number<kTypes & types::kAnyNumber>(
      y.dtype(), [&]<typename T>() { status = reduce_updates<T>(task, step, reduction); });
  return status;
}

// The data are read before the first update is written.
uint64_t scatter_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  Move move = data_move(step);
  DistanceWalk walk;
  walk_move(walk, move.loop, move.element_bytes, {0, 0});
  return walk.bytes();
}

constexpr Form gather_form(Op op) {
  return make_form(op, 0, {.parallel = !is_by_element(op), .run = run_gather});
}

struct AnyScatter;
template <typename, TypeSet kTypes>
constexpr Form scatter_form(Op op, uint8_t number) {
  return make_form(
      op, number,
      {.parallel = true, .safe_distance = scatter_distance, .run = run_scatter<kTypes>});
}

}  // namespace

// Moves are the same for all types.
constexpr Form kGatherNDForm0 = gather_form(Op::kGatherND);
ARENITE_FORM_CODE(GatherND, 0)
constexpr Form kGatherElementsForm0 = gather_form(Op::kGatherElements);
ARENITE_FORM_CODE(GatherElements, 0)
ARENITE_REFERENCE_FORMS(ScatterND, AnyScatter, scatter_form)
ARENITE_REFERENCE_FORMS(ScatterElements, AnyScatter, scatter_form)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
