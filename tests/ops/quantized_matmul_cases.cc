// Cases of quantized_matmul: every pair of types, batches, broadcasts, transposed operands, zero
// points of rows and columns, roundings, sums that wrap.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

constexpr QuantizedTypes kInt16s = {DType::kInt16, DType::kInt16, DType::kInt16};

constexpr QuantizedTypes kInt16Bytes = {DType::kInt16, DType::kInt8, DType::kInt16};

// The same in all rows of all batches.
Operand of_columns(Operand operand) {
  const size_t column = operand.dims.size() - 1;
  return repeated(std::move(operand), ~(1u << column));
}

// b lies [n][k]; bias, multipliers and shifts are those of the columns.
OpCase matmul(std::string name, const QuantizedTypes& types, const Dims& a, const Dims& b) {
  OpCase c;
  c.name = std::move(name);
  QuantizedMatMulAttributes attributes = {};
  attributes.b_zero_point = types.w == DType::kUint8 ? 126 : 0;
  attributes.output = output_of(types.y);
  c.attributes = words(attributes);
  Dims y = a;
  y.back() = b.back();
  const auto rank = static_cast<uint32_t>(a.size());
  Dims order(rank);
  for (uint32_t d = 0; d < rank; ++d) order[d] = d;
  std::swap(order[rank - 1], order[rank - 2]);
  c.inputs = {whole_range(tensor(a, types.x)), ordered(whole_range(tensor(b, types.w)), order)};
  add_ends(c, types, y, a.back());
  for (uint32_t i = kBiasInput; i < c.inputs.size(); ++i) {
    c.inputs[i] = of_columns(c.inputs[i]);
  }
  c.outputs = {tensor(y, types.y)};
  return c;
}

OpCase with_zero_points(OpCase c) {
  const bool a_unsigned = c.inputs[0].dtype == DType::kUint8;
  const bool b_unsigned = c.inputs[1].dtype == DType::kUint8;
  return with<QuantizedMatMulAttributes>(c, "zero_points", [&](QuantizedMatMulAttributes& a) {
    a.a_zero_point = a_unsigned ? 131 : -9;
    a.b_zero_point = b_unsigned ? 126 : 3;
  });
}

OpCase with_a_zero_point(OpCase c) {
  return with<QuantizedMatMulAttributes>(c, "a_zero_point", [&](QuantizedMatMulAttributes& a) {
    a.a_zero_point = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
  });
}

// One for each row of a and each column of b.
OpCase with_run_time_zero_points(OpCase c) {
  const Dims y = c.outputs[0].dims;
  const auto column = static_cast<uint32_t>(y.size() - 1);
  c = with_input(c, "a", kXZeroPointInput,
                 repeated(whole_range(tensor(y, c.inputs[0].dtype)), 1u << column));
  return with_input(c, "b", kWZeroPointsInput,
                    of_columns(whole_range(tensor(y, c.inputs[1].dtype))));
}

OpCase with_orders(OpCase c, const char* name, const Dims& a, const Dims& b, const Dims& y) {
  c.name += std::string("_") + name;
  c.inputs[0].order = a;
  c.inputs[1].order = b;
  c.outputs[0].order = y;
  return c;
}

OpCase broadcast(OpCase c, uint32_t a, uint32_t b) {
  c.inputs[0].repeated = a;
  c.inputs[1].repeated = b;
  return c;
}

OpCase with_single_ends(OpCase c) {
  c.name += "_one_for_all";
  for (const uint32_t i : {kMultipliersInput, kShiftsInput}) {
    c.inputs[i] = repeated(c.inputs[i], ~0u);
  }
  return c;
}

OpCase with_all_results(OpCase c) {
  return with<QuantizedMatMulAttributes>(c, "all_results", [&](QuantizedMatMulAttributes& a) {
    a.output.low = static_cast<int32_t>(lowest_of(c.outputs[0].dtype));
    a.output.high = static_cast<int32_t>(highest_of(c.outputs[0].dtype));
  });
}

// Sums at and beyond the ends of what simple formulas hold for, divided by little and by much; some
// columns have the same result for any row.
OpCase with_huge_biases(OpCase c) {
  c.name += "_huge_biases";
  c.inputs[kBiasInput].specials = {0x7fffffffL, -0x80000000L, 0x40000000L, -0x40000000L,
                                   0x3f000000L, 0x3fffffffL,  0,           100};
  c.inputs[kShiftsInput].specials = {-1, -2, -22, -23, -28, -31, -40, -8, -9};
  return c;
}

// b as a product of activations has it: [k][n], of either type.
OpCase with_rows_of_b(OpCase c) {
  c.name += "_rows_of_b";
  c.inputs[1].order = {};
  return c;
}

// Products of two activations: a head of attention a batch.
std::vector<OpCase> of_activations() {
  constexpr QuantizedTypes kUnsignedB = {DType::kInt8, DType::kUint8, DType::kInt8};
  std::vector<OpCase> cases;
  const auto add = [&](const OpCase& c) {
    for (const OpCase& each : {c, with_rows_of_b(c)}) {
      cases.push_back(each);
      cases.push_back(with_zero_points(each));
      cases.push_back(with_a_zero_point(with_all_results(each)));
      cases.push_back(with_rounding<QuantizedMatMulAttributes>(with_zero_points(each), "half_even",
                                                               Rounding::kHalfEven));
      cases.push_back(with_all_results(with_single_ends(
          with_rounding<QuantizedMatMulAttributes>(each, "half_even", Rounding::kHalfEven))));
      cases.push_back(with_rounding<QuantizedMatMulAttributes>(with_zero_points(each), "float32",
                                                               Rounding::kFloat32));
    }
  };
  add(matmul("heads", kBytes, {1, 3, 11, 18}, {1, 3, 18, 13}));
  add(matmul("heads_of_uint8", kUnsigned, {2, 1, 6, 9}, {2, 1, 9, 6}));
  add(matmul("uint8_on_the_right", kUnsignedB, {3, 5, 7}, {3, 7, 10}));
  add(matmul("one_row_of_heads", kBytes, {4, 1, 20}, {4, 20, 5}));
  const OpCase shared = matmul("shared_right", kBytes, {3, 9, 12}, {3, 12, 8});
  cases.push_back(broadcast(shared, 0, 1));
  cases.push_back(broadcast(with_rows_of_b(shared), 0, 1));
  cases.push_back(broadcast(matmul("shared_left", kBytes, {3, 9, 12}, {3, 12, 8}), 1, 0));
  cases.push_back(with_input(with_rows_of_b(shared), "no_bias", kBiasInput, absent()));
  cases.push_back(
      with_a_zero_point(with_rows_of_b(matmul("many", kBytes, {4, 40, 32}, {4, 32, 40}))));
  cases.push_back(with_rounding<QuantizedMatMulAttributes>(
      matmul("many", kUnsigned, {4, 40, 32}, {4, 32, 40}), "half_even", Rounding::kHalfEven));
  return cases;
}

}  // namespace

std::vector<OpCase> quantized_matmul_cases() {
  const OpCase prime = matmul("prime", kBytes, {7, 13}, {13, 19});
  const OpCase batches = matmul("batches", kUnsigned, {3, 4, 5}, {3, 5, 6});
  std::vector<OpCase> cases = {
      with_run_time_zero_points(prime),
      prime,
      with_single_ends(prime),
      with_zero_points(prime),
      with_rounding<QuantizedMatMulAttributes>(prime, "single", Rounding::kTfliteSingle),
      with_rounding<QuantizedMatMulAttributes>(prime, "half_even", Rounding::kHalfEven),
      as_sums(prime),
      as_sums(with_run_time_zero_points(batches)),
      with_input(prime, "no_bias", kBiasInput, absent()),
      matmul("one_element", kBytes, {1, 1}, {1, 1}),
      matmul("row", kBytes, {1, 300}, {300, 50}),
      matmul("column", kBytes, {23, 5}, {5, 1}),
      // More multipliers than a uniform buffer of 16 KiB has, and as many as one has.
      matmul("columns_beyond_uniforms", kBytes, {1, 16}, {16, 4097}),
      matmul("columns_in_uniforms", kBytes, {2, 16}, {16, 4000}),
      batches,
      with_run_time_zero_points(batches),
      broadcast(matmul("broadcast_b", kBytes, {2, 3, 4, 5}, {2, 3, 5, 18}), 0, 3),
      broadcast(matmul("broadcast_a", kBytes, {2, 3, 4, 5}, {2, 3, 5, 6}), 1, 2),
      with_orders(prime, "transposed_a", {1, 0}, {}, {}),
      with_orders(prime, "transposed_all", {1, 0}, {1, 0}, {1, 0}),
      matmul("large", kBytes, {20, 64}, {64, 37}),
      with_zero_points(matmul("inner_of_four", kBytes, {5, 20}, {20, 9})),
      matmul("attention", kInt16s, {2, 5, 300}, {2, 300, 17}),
      with_rounding<QuantizedMatMulAttributes>(matmul("int16s", kInt16s, {5, 30}, {30, 18}),
                                               "half_even", Rounding::kHalfEven),
      with_zero_points(matmul("int16s", kInt16s, {5, 30}, {30, 18})),
      matmul("no_rows", kBytes, {0, 4}, {4, 5}),
      matmul("no_columns", kBytes, {3, 4}, {4, 0}),
      matmul("no_inner", kBytes, {3, 0}, {0, 18}),
  };
  // Rows and columns that fill blocks, and such that leave each number of them over.
  const QuantizedTypes unsigned_a = {DType::kUint8, DType::kInt8, DType::kInt8};
  for (const uint32_t rows : {1u, 2u, 3u, 4u, 7u, 70u}) {
    for (const uint32_t columns : {1u, 4u, 6u, 19u, 35u}) {
      const std::string name = std::to_string(rows) + "x" + std::to_string(columns);
      cases.push_back(with_a_zero_point(matmul("even" + name, kBytes, {rows, 24}, {24, columns})));
      cases.push_back(with_a_zero_point(matmul("odd" + name, unsigned_a, {rows, 9}, {9, columns})));
    }
  }
  for (const NamedRounding& rounding : kRoundings) {
    if (rounding.rounding == Rounding::kTfliteDouble) continue;
    cases.push_back(with_rounding<QuantizedMatMulAttributes>(
        matmul("once_large", kBytes, {70, 64}, {64, 37}), rounding.name, rounding.rounding));
    for (const uint32_t rows : {1u, 4u, 7u}) {
      for (const uint32_t columns : {6u, 19u}) {
        for (const uint32_t depth : {24u, 9u}) {
          const std::string name = "once" + std::to_string(rows) + "x" + std::to_string(columns) +
                                   "_of_" + std::to_string(depth);
          const OpCase c = matmul(name, kBytes, {rows, depth}, {depth, columns});
          cases.push_back(
              with_rounding<QuantizedMatMulAttributes>(c, rounding.name, rounding.rounding));
        }
      }
    }
  }
  for (const uint32_t rows : {1u, 2u, 5u}) {
    for (const uint32_t depth : {16u, 17u, 32u, 33u, 50u}) {
      const std::string name = "deep" + std::to_string(rows) + "x" + std::to_string(depth);
      cases.push_back(with_a_zero_point(matmul(name, kBytes, {rows, depth}, {depth, 53})));
      cases.push_back(matmul(name + "_at_zero", kBytes, {rows, depth}, {depth, 8}));
    }
  }
  for (OpCase& c : of_activations()) cases.push_back(std::move(c));
  // A single row, whose columns are computed four and two at once, long ones in parts.
  for (const uint32_t columns : {8u, 67u}) {
    const std::string of = "row_of_" + std::to_string(columns);
    const OpCase row = with_all_results(matmul(of, kBytes, {1, 1, 38}, {1, 38, columns}));
    const OpCase odd = matmul(of + "_odd", unsigned_a, {1, 1, 7}, {1, 7, columns});
    const OpCase parts =
        with_all_results(matmul(of + "_in_parts", kBytes, {1, 338}, {338, columns}));
    const OpCase odd_parts = matmul(of + "_in_odd_parts", unsigned_a, {1, 257}, {257, columns});
    for (const OpCase& c :
         {parts, with_zero_points(parts), with_huge_biases(parts), with_single_ends(parts),
          with_zero_points(odd_parts), with_huge_biases(with_all_results(odd_parts)),
          with_input(odd_parts, "no_bias", kBiasInput, absent()), row, with_zero_points(row),
          with_huge_biases(row), with_single_ends(row), with_zero_points(odd),
          with_huge_biases(with_all_results(odd)),
          with_rounding<QuantizedMatMulAttributes>(row, "single", Rounding::kTfliteSingle),
          with_rounding<QuantizedMatMulAttributes>(row, "float32", Rounding::kFloat32)}) {
      cases.push_back(c);
    }
  }
  // Activations of 16 bits, one row and several, whose sums take 32 bits and more.
  for (const uint32_t rows : {1u, 2u, 3u, 7u, 70u}) {
    for (const uint32_t columns : {1u, 2u, 3u, 8u, 29u}) {
      for (const uint32_t depth : {16u, 9u, 1001u}) {
        if (rows * columns * depth > 60000) continue;
        const std::string name = "int16_" + std::to_string(rows) + "x" + std::to_string(columns) +
                                 "_of_" + std::to_string(depth);
        const OpCase c = matmul(name, kInt16Bytes, {rows, depth}, {depth, columns});
        for (const OpCase& each : {c, with_all_results(c), with_bias_of_32_bits(c)}) {
          cases.push_back(each);
        }
        if (depth == 16) continue;
        cases.push_back(
            with_rounding<QuantizedMatMulAttributes>(c, "half_even", Rounding::kHalfEven));
        cases.push_back(with_input(c, "no_bias", kBiasInput, absent()));
        cases.push_back(with_single_ends(c));
      }
    }
  }
  cases.push_back(matmul("int16_batches", kInt16Bytes, {3, 6, 40}, {3, 40, 7}));
  cases.push_back(broadcast(matmul("int16_shared", kInt16Bytes, {3, 6, 41}, {3, 41, 7}), 0, 1));
  cases.push_back(with_orders(matmul("int16", kInt16Bytes, {7, 13}, {13, 19}), "transposed_all",
                              {1, 0}, {1, 0}, {1, 0}));
  for (const DType y : {DType::kInt8, DType::kUint8, DType::kInt16}) {
    for (const DType from : {DType::kInt8, DType::kUint8, DType::kInt16}) {
      const DType weights = y == from ? DType::kUint8 : DType::kInt8;
      const QuantizedTypes types = {from, weights, y};
      cases.push_back(with_zero_points(matmul(name_of(types), types, {3, 21}, {21, 17})));
    }
  }
  // Sums, as those of inputs that a run quantizes: with one zero point.
  for (const uint32_t rows : {1u, 5u, 70u}) {
    for (const uint32_t columns : {1u, 19u, 48u}) {
      const std::string name = "of_run" + std::to_string(rows) + "x" + std::to_string(columns);
      for (const QuantizedTypes& types : {kBytes, unsigned_a}) {
        OpCase c = as_sums(matmul(name, types, {rows, 61}, {61, columns}));
        c.name += types.x == DType::kInt8 ? "" : "_unsigned";
        cases.push_back(with_a_zero_point(c));
        const Operand zero_point = whole_range(tensor({rows, columns}, types.x));
        c = with_input(c, "zero_point", kXZeroPointInput, repeated(zero_point, 0b11));
        cases.push_back(with_input(c, "no_bias", kBiasInput, absent()));
        cases.push_back(with<QuantizedMatMulAttributes>(
            c, "of_weights", [](QuantizedMatMulAttributes& a) { a.b_zero_point = -15; }));
        cases.push_back(std::move(c));
      }
    }
  }
  // Weights of 4 bits: odd columns, pairs of one and of two columns.
  const auto add_packed = [&](OpCase c, const Dims& order = {}) {
    c = with<QuantizedMatMulAttributes>(c, "weights", [&](QuantizedMatMulAttributes& a) {
      a.b_zero_point = c.inputs[1].dtype == DType::kUint8 ? 7 : -1;
    });
    cases.push_back(packed(std::move(c), order));
  };
  add_packed(prime);
  add_packed(prime, {0, 1});
  add_packed(as_sums(with_run_time_zero_points(prime)));
  add_packed(batches);
  add_packed(broadcast(matmul("broadcast_b", kBytes, {2, 3, 4, 5}, {2, 3, 5, 18}), 0, 3));
  add_packed(matmul("row", kBytes, {1, 301}, {301, 50}));
  add_packed(matmul("large", kBytes, {20, 64}, {64, 37}));
  cases.push_back(packed(with_all_results(matmul("large_halves", kBytes, {70, 64}, {64, 37})), {}));
  add_packed(matmul("int16", {DType::kInt16, DType::kInt8, DType::kInt16}, {3, 21}, {21, 17}));
  add_packed(matmul("no_inner", kBytes, {3, 0}, {0, 18}));
  for (const uint32_t rows : {1u, 2u, 5u, 8u}) {
    for (const uint32_t columns : {1u, 4u, 6u, 19u}) {
      const std::string name = "halves" + std::to_string(rows) + "x" + std::to_string(columns);
      for (const uint32_t depth : {3u, 16u, 25u, 38u}) {
        const OpCase c = matmul(name + "_of_" + std::to_string(depth),
                                depth == 25 ? unsigned_a : kBytes, {rows, depth}, {depth, columns});
        cases.push_back(packed(with_all_results(with_a_zero_point(c)), {}));
        if (columns == 4) continue;
        cases.push_back(packed(with_huge_biases(with_all_results(c)), {}));
        add_packed(with_single_ends(c));
      }
    }
  }
  OpCase of_32_bits = matmul("int16_bias_of_32_bits", kInt16s, {5, 30}, {30, 18});
  of_32_bits.inputs[kBiasInput].dtype = DType::kInt32;
  cases.push_back(of_32_bits);
  return cases;
}

std::vector<Numbers> quantized_matmul_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<QuantizedMatMulAttributes>(c);
  const Numbers& a = inputs[0];
  const Numbers& b = inputs[1];
  Numbers y = blank_output(c, 0);
  const size_t rank = y.dims.size();
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index in_a = index_of(y.dims, p);
    Index in_b = in_a;
    const Number a_zero = end_of(c, inputs, kXZeroPointInput, p, attributes.a_zero_point);
    const Number b_zero = end_of(c, inputs, kWZeroPointsInput, p, attributes.b_zero_point);
    Number sum = 0;
    for (uint32_t k = 0; k < a.dims[rank - 1]; ++k) {
      in_a[rank - 1] = k;
      in_b[rank - 2] = k;
      sum += (at(a, in_a) - a_zero) * (at(b, in_b) - b_zero);
    }
    y.values[p] = quantized_result(c, inputs, p, sum, attributes.output);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
