// Cases of quantized_add: every type and rule, sums and differences, operands that are repeated.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

bool adds_once(Rounding rounding) {
  return rounding == Rounding::kHalfEven || rounding == Rounding::kFloat32;
}

OpCase add(std::string name, const Dims& dims, DType type, Rounding rounding) {
  QuantizedAddAttributes by = {};
  by.zero_points[0] = zero_point_of(type);
  by.zero_points[1] = type == DType::kUint8 ? 7 : -3;
  if (adds_once(rounding)) {
    by.multipliers[0] = 0x3fffff;
    by.multipliers[1] = 0x155555;
    by.shifts[2] = 23;
  } else {
    by.left_shift = type == DType::kInt16 ? 15 : 20;
    by.multipliers[0] = 1 << 30;
    by.multipliers[1] = 0x59999999;
    by.shifts[1] = -2;
    by.multipliers[2] = 0x7ac1d2e3;
    by.shifts[2] = type == DType::kInt16 ? -14 : -19;
  }
  return pair_case(std::move(name), dims, type, rounding, by);
}

OpCase subtracting(OpCase c) {
  return with<QuantizedAddAttributes>(std::move(c), "subtract",
                                      [](auto& by) { by.kind = SumKind::kDifference; });
}

}  // namespace

std::vector<OpCase> quantized_add_cases() {
  std::vector<OpCase> cases = cases_of_pairs(add, 0);
  for (OpCase& c : pairs_of_every_type(add)) cases.push_back(subtracting(std::move(c)));
  // Of int16 as TensorFlow Lite has them: factors of up to 1/2 and others, shifts of each kind,
  // lengths in and beside what is computed at once, images and operands that are repeated.
  uint32_t count = 61;
  for (const int32_t first : {0, -1, -14, -31}) {
    for (const int32_t whole : {0, -14, -31}) {
      for (const bool difference : {false, true}) {
        const bool is_image = first == -1 && whole == -14;
        OpCase c =
            add("int16_of_" + std::to_string(count), is_image ? Dims{2, 3, 7, 5} : Dims{count},
                DType::kInt16, Rounding::kTfliteDouble);
        c = with<QuantizedAddAttributes>(std::move(c), "", [&](auto& by) {
          by.zero_points[1] = 0;
          by.shifts[0] = first;
          if (first != 0) by.multipliers[0] = 0x7fffffff;
          by.shifts[2] = whole;
          if (difference) by.kind = SumKind::kDifference;
          if (count % 2 == 0) by.output.low = 0;
        });
        if (is_image) c.inputs[0] = channels_last(std::move(c.inputs[0]));
        if (first == 0 && whole == -14) c.inputs[1].repeated = 1;
        cases.push_back(c);
        ++count;
      }
    }
  }
  cases.push_back(with<QuantizedAddAttributes>(
      add("large_int16", {1, 3, 40, 64}, DType::kInt16, Rounding::kTfliteDouble), "",
      [](auto& by) { by.zero_points[1] = 0; }));
  // Of 8 bits with one rounding: sums and differences, shifts of each kind, lengths in and beside
  // what is computed at once, less than the type's whole range.
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    const std::string name = type == DType::kUint8 ? "uint8_once_of_" : "int8_once_of_";
    for (const int32_t shift : {1, 20, 23, 31}) {
      for (const bool difference : {false, true}) {
        OpCase c = add(name + std::to_string(count), {count % 37 + 1}, type, Rounding::kFloat32);
        cases.push_back(with<QuantizedAddAttributes>(std::move(c), "", [&](auto& by) {
          by.shifts[2] = shift;
          if (difference) by.kind = SumKind::kDifference;
          if (count % 2 == 0) by.output.low += 100;
        }));
        ++count;
        // By powers of two many results are halves.
        OpCase even = add(name + std::to_string(count), {2 * count}, type, Rounding::kHalfEven);
        cases.push_back(with<QuantizedAddAttributes>(std::move(even), "even", [&](auto& by) {
          by.shifts[2] = shift;
          by.multipliers[0] = shift < 20 ? 1 : 0x200000;
          by.multipliers[1] = shift < 20 ? 3 : 0x100000;
          if (difference) by.kind = SumKind::kDifference;
          if (count % 3 == 0) by.output.low += 100;
        }));
      }
    }
    for (const Rounding rounding : {Rounding::kFloat32, Rounding::kHalfEven}) {
      const std::string many = name + (rounding == Rounding::kHalfEven ? "even_many" : "many");
      cases.push_back(add(many, {1, 3, 40, 64}, type, rounding));
    }
  }
  // Of 8 bits with two roundings and results of the whole range: the first operand halved, as
  // TensorFlow Lite has the one of the greater scale, the second, both or none; lengths in and
  // beside what is computed at once; sums divided by up to 2^22, which small cores add zero points
  // to before, and by more.
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const uint32_t halved : {0b01u, 0b10u, 0b11u, 0b00u}) {
      for (const int32_t whole : {-1, -19, -22, -23}) {
        OpCase c = add("bytes_halved_of_" + std::to_string(count), {2, count % 61 + 7}, type,
                       Rounding::kTfliteDouble);
        cases.push_back(with<QuantizedAddAttributes>(std::move(c), "", [&](auto& by) {
          for (uint32_t i = 0; i < 2; ++i) {
            const bool is_half = (halved >> i & 1) != 0;
            by.multipliers[i] = is_half ? 1 << 30 : 0x59999999;
            by.shifts[i] = is_half ? 0 : -1;
          }
          by.shifts[2] = whole;
          by.output.low = static_cast<int32_t>(lowest_of(type));
          by.output.high = static_cast<int32_t>(highest_of(type));
          if (count % 2 == 0) by.kind = SumKind::kDifference;
          if (count % 5 == 0) by.output.low += 3;
          if (count % 7 == 0) by.left_shift = 1;
        }));
        ++count;
      }
    }
  }
  // The square of int16 operands wraps.
  for (const NamedType& type : kActivationTypes) {
    OpCase square =
        add(std::string("square_") + type.name, {3, 5, 41}, type.dtype, Rounding::kTfliteDouble);
    cases.push_back(with<QuantizedAddAttributes>(std::move(square), "", [](auto& by) {
      by.kind = SumKind::kSquare;
      by.left_shift = 7;
      by.shifts[2] = -20;
    }));
  }
  // Squares of 8 bits: of differences that fill the bits they have and of greater ones, lengths in
  // and beside what is computed at once, operands that are repeated.
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const uint32_t left : {0u, 3u, 7u, 8u, 20u}) {
      for (const int32_t first : {1 << 30, (1 << 30) + 1}) {
        OpCase c = add("square_of_" + std::to_string(count), {2, count % 37 + 1}, type,
                       Rounding::kTfliteDouble);
        c = with<QuantizedAddAttributes>(std::move(c), "", [&](auto& by) {
          const bool lowest = count % 2 == 0;
          by.kind = SumKind::kSquare;
          by.left_shift = left;
          by.zero_points[0] = static_cast<int32_t>(lowest ? lowest_of(type) : highest_of(type));
          by.zero_points[1] = static_cast<int32_t>(lowest ? highest_of(type) : lowest_of(type));
          by.multipliers[0] = first;
          by.multipliers[1] = 0x7fffffff;
          by.shifts[1] = -1;
          by.shifts[2] = left < 8 ? -8 - static_cast<int32_t>(2 * left) : -22;
        });
        if (count % 5 == 0) c.inputs[1].repeated = 1;
        cases.push_back(c);
        ++count;
      }
    }
  }
  OpCase many_squares = add("large_square", {1, 3, 40, 64}, DType::kInt8, Rounding::kTfliteDouble);
  cases.push_back(with<QuantizedAddAttributes>(std::move(many_squares), "", [](auto& by) {
    by.kind = SumKind::kSquare;
    by.left_shift = 7;
    by.shifts[2] = -22;
  }));
  // Rows that are read again after others are written, of lengths beside what is computed at once.
  for (const Rounding rounding :
       {Rounding::kTfliteDouble, Rounding::kFloat32, Rounding::kHalfEven}) {
    for (const uint32_t columns : {25u, 45u}) {
      OpCase c =
          add("repeated_rows_of_" + std::to_string(count), {3, columns}, DType::kUint8, rounding);
      c.inputs[1].repeated = 1;
      cases.push_back(c);
      ++count;
    }
  }
  // One number for each row, of either operand, of lengths in and beside what is computed at once.
  for (const Rounding rounding :
       {Rounding::kTfliteDouble, Rounding::kFloat32, Rounding::kHalfEven}) {
    for (const DType type : {DType::kUint8, DType::kInt8}) {
      for (const uint32_t columns : {5u, 32u, 77u}) {
        for (const uint32_t operand : {0u, 1u}) {
          OpCase c = add("one_for_a_row_" + std::to_string(count), {3, columns}, type, rounding);
          c.inputs[operand].repeated = 2;
          cases.push_back(c);
          ++count;
        }
      }
    }
  }
  OpCase channels = pair_of_images(add, 0);
  channels.name = "channels";
  channels.inputs[1] = repeated(any_of_type({2, 3, 7, 5}, DType::kInt8), 0b1101);
  cases.push_back(channels);
  // Intermediate results that overflow saturate.
  OpCase steep = add("saturates", {3, 41}, DType::kInt16, Rounding::kTfliteDouble);
  auto by = attributes_of<QuantizedAddAttributes>(steep);
  by.left_shift = 31;
  by.output.low = -300;
  by.output.high = 20000;
  steep.attributes = words(by);
  cases.push_back(steep);
  return cases;
}

std::vector<Numbers> quantized_add_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedAddAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Wide terms[2];
    for (uint32_t i = 0; i < 2; ++i) {
      const auto number = static_cast<int32_t>(inputs[i].values[p]) - by.zero_points[i];
      terms[i] =
          adds_once(by.output.rounding)
              ? Wide{number} * by.multipliers[i]
              : requantized_by_definition(to_int32(Wide{number} << by.left_shift),
                                          by.multipliers[i], by.shifts[i], by.output.rounding);
    }
    Wide sum = by.kind == SumKind::kSum ? terms[0] + terms[1] : terms[0] - terms[1];
    if (by.kind == SumKind::kSquare) sum *= sum;
    if (adds_once(by.output.rounding)) {
      const Halves halves = by.output.rounding == Rounding::kHalfEven ? Halves::kEven : Halves::kUp;
      y.values[p] = moved_and_limited(to_int32(scaled(sum, by.shifts[2], halves)), by.output);
    } else {
      y.values[p] = finished_by_definition(static_cast<int32_t>(sum), by.multipliers[2],
                                           by.shifts[2], by.output);
    }
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
