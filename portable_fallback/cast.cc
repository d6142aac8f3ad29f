// Every number type to every other: rounding to nearest even, truncating to integers, saturating
// where a float leaves their range.
#include <limits>

#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/small_float.h"
#include "portable_fallback/split.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_cast(const Step& step) {
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 1}));
  return check_same_dims(step, 0);
}

// A number between two types: every source is exactly one of these.
struct Number {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat } kind;
  uint64_t integer;  // two's complement when signed
  double real;
};

template <typename T>
T load(Src<std::byte> from) {
  T value;
  take(reinterpret_cast<std::byte*>(&value), from, sizeof(T));
  return value;
}

template <typename T>
void store(Dst<std::byte> to, T value) {
  put(to, reinterpret_cast<const std::byte*>(&value), sizeof(T));
}

Number integer_number(int64_t value) {
  return {Number::Kind::kSigned, static_cast<uint64_t>(value), 0.0};
}
Number unsigned_number(uint64_t value) { return {Number::Kind::kUnsigned, value, 0.0}; }
Number real_number(double value) { return {Number::Kind::kFloat, 0, value}; }

Number read_number(Src<std::byte> from, DType type) {
  switch (type) {
    case DType::kUint8:
      return unsigned_number(load<uint8_t>(from));
    case DType::kUint16:
      return unsigned_number(load<uint16_t>(from));
    case DType::kUint32:
      return unsigned_number(load<uint32_t>(from));
    case DType::kUint64:
      return unsigned_number(load<uint64_t>(from));
    case DType::kInt8:
      return integer_number(load<int8_t>(from));
    case DType::kInt16:
      return integer_number(load<int16_t>(from));
    case DType::kInt32:
      return integer_number(load<int32_t>(from));
    case DType::kInt64:
      return integer_number(load<int64_t>(from));
    case DType::kFloat16:
      return real_number(small_to_double<kFloat16Format>(load<uint16_t>(from)));
    case DType::kBfloat16:
      return real_number(small_to_double<kBfloat16Format>(load<uint16_t>(from)));
    case DType::kFloat32:
      return real_number(static_cast<double>(load<float>(from)));
    case DType::kFloat64:
      return real_number(load<double>(from));
    default:
      return unsigned_number(load<uint8_t>(from) != 0 ? 1 : 0);
  }
}

// Integers wrap to narrower ones; floats saturate, and NaN becomes 0.
template <typename T>
T to_integer(const Number& number) {
  if (number.kind != Number::Kind::kFloat) return static_cast<T>(number.integer);
  using Limits = std::numeric_limits<T>;
  // Both are powers of two or 0, exact in a double.
  constexpr double kLowest = static_cast<double>(Limits::lowest());
  constexpr T kHalf = Limits::max() / 2 + 1;
  constexpr double kBeyond = 2.0 * static_cast<double>(kHalf);
  const double real = number.real;
  if (real >= kBeyond) return Limits::max();
  if (real > kLowest - 1.0 && real > kLowest) return static_cast<T>(real);
  return real != real ? T{0} : Limits::lowest();
}

// Rounded once: a double keeps 53 bits, so what is cut from a longer integer stays as an odd bit,
// which any narrower format needs to round right.
double to_odd_double(const Number& number) {
  if (number.kind == Number::Kind::kFloat) return number.real;
  uint64_t magnitude = number.integer;
  const bool negative = number.kind == Number::Kind::kSigned && static_cast<int64_t>(magnitude) < 0;
  if (negative) magnitude = uint64_t{0} - magnitude;
  if (magnitude >> 53 != 0) {
    constexpr uint64_t kCut = 0x7ff;
    magnitude = (magnitude & ~kCut) | ((magnitude & kCut) != 0 ? kCut + 1 : 0);
  }
  const auto real = static_cast<double>(magnitude);
  return negative ? -real : real;
}

double to_double(const Number& number) {
  switch (number.kind) {
    case Number::Kind::kSigned:
      return static_cast<double>(static_cast<int64_t>(number.integer));
    case Number::Kind::kUnsigned:
      return static_cast<double>(number.integer);
    case Number::Kind::kFloat:
      break;
  }
  return number.real;
}

void write_number(Dst<std::byte> to, DType type, const Number& number) {
  switch (type) {
    case DType::kUint8:
      return store(to, to_integer<uint8_t>(number));
    case DType::kUint16:
      return store(to, to_integer<uint16_t>(number));
    case DType::kUint32:
      return store(to, to_integer<uint32_t>(number));
    case DType::kUint64:
      return store(to, to_integer<uint64_t>(number));
    case DType::kInt8:
      return store(to, to_integer<int8_t>(number));
    case DType::kInt16:
      return store(to, to_integer<int16_t>(number));
    case DType::kInt32:
      return store(to, to_integer<int32_t>(number));
    case DType::kInt64:
      return store(to, to_integer<int64_t>(number));
    case DType::kFloat16:
      return store(to, double_to_small<kFloat16Format>(to_odd_double(number)));
    case DType::kBfloat16:
      return store(to, double_to_small<kBfloat16Format>(to_odd_double(number)));
    case DType::kFloat32:
      return store(to, static_cast<float>(to_odd_double(number)));
    case DType::kFloat64:
      return store(to, to_double(number));
    default:
      return store(to,
                   static_cast<uint8_t>(number.kind == Number::Kind::kFloat ? number.real != 0.0
                                                                            : number.integer != 0));
  }
}

struct Cast {
  NestedLoop loop;  // operands y, x
  Src<std::byte> x;
  Dst<std::byte> y;
  DType from, to;
};

void cast_items(void* argument, uint32_t first, uint32_t last) {
  const auto& task = *static_cast<const Cast*>(argument);
  const auto x_bytes = static_cast<ptrdiff_t>(element_bytes(task.from));
  const auto y_bytes = static_cast<ptrdiff_t>(element_bytes(task.to));
  RowCursor row(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Src<std::byte> x = task.x + row.offset(1) * x_bytes;
    Dst<std::byte> y = task.y + row.offset(0) * y_bytes;
    for (uint32_t left = row.count(); left != 0; --left) {
      write_number(y, task.to, read_number(x, task.from));
      x += task.loop.inner_stride(1) * x_bytes;
      y += task.loop.inner_stride(0) * y_bytes;
    }
  }
}

Status run_cast(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  Cast task = {unary_loop(step), x.read<std::byte>(), y.write<std::byte>(), x.dtype, y.dtype};
  if (task.loop.rank == 0) return ok_status();
  const uint64_t work = bounded_count(y) * 8;
  split(platform, RowCursor::rows(task.loop, kRowPiece), work, cast_items, &task);
  return ok_status();
}

}  // namespace

constexpr Kernel kCastKernel = {
    .op = Op::kCast,
    .check = check_cast,
    .run = run_cast,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = unary_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
