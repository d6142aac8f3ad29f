// Family binary: y = activation(f(a, b)) for each element. A member is a struct of the operator's
// Type with apply(a, b) -> y, a template over the element type, y being of it or bool; kSigned says
// whether signed integers differ from unsigned ones.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/modular.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"
#include "portable_fallback/typed.h"

namespace arenite {
namespace {

// Integers wrap.
struct Add {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return static_cast<T>(Modular<T>{a} + Modular<T>{b});
    }
  }
};

struct Mul {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a * b;
    } else {
      return static_cast<T>(Modular<T>{a} * Modular<T>{b});
    }
  }
};

// Integers truncate, wrap, and give 0 for a divisor of 0.
struct Div {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return wrapped_negative(a);
      }
      return static_cast<T>(a / b);
    }
  }
};

struct Sub {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a - b;
    } else {
      return static_cast<T>(Modular<T>{a} - Modular<T>{b});
    }
  }
};

// A NaN of either stays.
struct Min {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return b < a || b != b ? b : a;
  }
};

struct Max {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return b > a || b != b ? b : a;
  }
};

// b is the slope below 0.
struct PRelu {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return a < T{0} ? a * b : a;
  }
};

struct Equal {
  static constexpr bool kSigned = false;
  template <typename T>
  static bool apply(T a, T b) {
    return a == b;
  }
};

struct Greater {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a > b;
  }
};

struct GreaterOrEqual {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};

struct Less {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};

struct LessOrEqual {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};

// Of bool: bytes of 0 and 1.
struct LogicalAnd {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a != 0 && b != 0);
  }
};

struct LogicalOr {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a != 0 || b != 0);
  }
};

struct LogicalXor {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};

// One row of the operands; steps in elements.
struct BinaryRow {
  Dst<std::byte> y;
  Src<std::byte> a, b;
  uint32_t count;
  ptrdiff_t y_step, a_step, b_step;
};

// Neighbours in memory, b perhaps one number for all: what vector code is made of. b is then read
// once, which its safe distance counts with.
bool is_vector_row(const BinaryRow& row) {
  return row.y_step == 1 && row.a_step == 1 && (row.b_step == 0 || row.b_step == 1);
}

// As stored: a bool is a byte.
template <typename Member, typename T>
using ResultOf =
    typename std::conditional_t<std::is_same_v<decltype(Member::apply(T{}, T{})), bool>,
                                std::type_identity<uint8_t>, std::type_identity<T>>::type;

template <typename Member, typename T>
void binary_row(const BinaryRow& row) {
  Dst<ResultOf<Member, T>> y = as<ResultOf<Member, T>>(row.y);
  Src<T> a = as<T>(row.a);
  Src<T> b = as<T>(row.b);
  if constexpr (std::is_same_v<T, float>) {
    if (is_vector_row(row)) {
      if (row.b_step == 0) {
        const float v = *b;
        for (uint32_t j = 0; j < row.count; ++j) y[j] = Member::apply(float{a[j]}, v);
      } else {
        for (uint32_t j = 0; j < row.count; ++j) y[j] = Member::apply(float{a[j]}, float{b[j]});
      }
      return;
    }
  }
  for (uint32_t j = 0; j < row.count; ++j, y += row.y_step, a += row.a_step, b += row.b_step) {
    *y = Member::apply(T{*a}, T{*b});
  }
}

struct Binary {
  explicit Binary(const Step& step);

  Dst<std::byte> y;
  Src<std::byte> a, b;
  DType dtype;                 // of a and b
  ptrdiff_t x_bytes, y_bytes;  // of an element of a and b, and of y
  Activation activation;
  NestedLoop loop;  // operands y, a, b; of rank 0 when there is nothing to do
  void (*row)(const BinaryRow& row) = nullptr;
};

Binary::Binary(const Step& step) {
  const Tensor left = step.input(0);
  const Tensor right = step.input(1);
  const OutTensor result = step.output(0);
  a = left.read<std::byte>();
  b = right.read<std::byte>();
  y = result.write<std::byte>();
  dtype = left.dtype;
  x_bytes = static_cast<ptrdiff_t>(element_bytes(dtype));
  y_bytes = static_cast<ptrdiff_t>(element_bytes(result.dtype));
  activation = step.attributes<BinaryAttributes>().activation;
  if (element_count(result) == 0) return;
  for (uint32_t d = 0; d < result.rank; ++d) {
    loop.add(result.dims[d], signed_stride(result, d), signed_stride(left, d),
             signed_stride(right, d));
  }
  loop.sort();
  loop.merge();
}

BinaryRow row_at(const Binary& task, const RowCursor& at) {
  const NestedLoop& loop = task.loop;
  return {task.y + at.offset(0) * task.y_bytes,
          task.a + at.offset(1) * task.x_bytes,
          task.b + at.offset(2) * task.x_bytes,
          at.count(),
          loop.inner_stride(0),
          loop.inner_stride(1),
          loop.inner_stride(2)};
}

void activate_row(const Activation& activation, const BinaryRow& row) {
  if (activation.kind == ActivationKind::kNone) return;
  Dst<float> y = as<float>(row.y);
  if (row.y_step == 1) return activate(activation, y, y, row.count);
  for (uint32_t j = 0; j < row.count; ++j, y += row.y_step) activate(activation, y, y, 1);
}

void binary_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Binary*>(argument);
  RowCursor at(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const BinaryRow row = row_at(task, at);
    task.row(row);
    activate_row(task.activation, row);
  }
}

uint64_t binary_distance(const Step& step, uint32_t input) {
  const Binary task(step);
  DistanceWalk walk;
  if (task.loop.rank == 0) return 0;
  const RowCursor row(task.loop, kRowPiece, 0);
  // A number for a whole row is read before it.
  const bool once = input == 1 && task.dtype == DType::kFloat32 && task.loop.inner_stride(2) == 0 &&
                    is_vector_row(row_at(task, row));
  const DistanceStart at = {.y_bytes = static_cast<uint32_t>(task.y_bytes),
                            .x_bytes = static_cast<uint32_t>(task.x_bytes)};
  walk_loop(walk, task.loop, 1 + input, at, once ? kRowPiece : 1);
  return walk.bytes();
}

Status run_rows(Binary& task, const Platform& platform) {
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), binary_items, &task);
  return ok_status();
}

template <typename Member, TypeSet kTypes>
Status run_binary(const Step& step, const Platform& platform) {
  Binary task(step);
  for_type<kTypes>(task.dtype, [&]<typename T>() {
    constexpr bool kAsUnsigned = std::is_integral_v<T> && !Member::kSigned;
    using Number = typename std::conditional_t<kAsUnsigned, std::make_unsigned<T>,
                                               std::type_identity<T>>::type;
    task.row = binary_row<Member, Number>;
  });
  return run_rows(task, platform);
}

template <typename Member, TypeSet kTypes>
constexpr Form binary_form(Op op, uint8_t number) {
  return {.op = op,
          .number = number,
          .parallel = true,
          .types = kTypes,
          .safe_distance = binary_distance,
          .run = run_binary<Member, kTypes>};
}

}  // namespace

#define ARENITE_OP_binary(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, binary_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
