// Cases of matmul: ranks, batches, broadcasts, transposed operands, alpha, beta, panels.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase matmul(const char* name, const Dims& a, const Dims& b, MatMulAttributes attributes = {}) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  if (attributes.alpha == 0) attributes.alpha = 1;
  c.attributes = words(attributes);
  Dims y = a;
  y.back() = b.back();
  c.inputs = {tensor(a), tensor(b)};
  c.outputs = {tensor(y)};
  return c;
}

OpCase with_c(OpCase c, uint32_t repeated_dims, float alpha, float beta) {
  auto attributes = attributes_of<MatMulAttributes>(c);
  attributes.alpha = alpha;
  attributes.beta = beta;
  c.attributes = words(attributes);
  c.inputs.push_back(repeated(tensor(c.outputs[0].dims), repeated_dims));
  return c;
}

// A sum of so many that its roundings add up.
OpCase loosely(OpCase c) {
  c.tolerance = 5e-5;
  return c;
}

OpCase with_orders(OpCase c, const Dims& a, const Dims& b, const Dims& y) {
  c.inputs[0].order = a;
  c.inputs[1].order = b;
  c.outputs[0].order = y;
  return c;
}

OpCase right_in_panels(OpCase c) {
  c.name += "_panels";
  Operand& b = c.inputs[1];
  for (size_t d = 0; d + 2 < b.dims.size(); ++d) b.dims[d] = 1;
  b.repeated = 0;
  b.order.clear();
  b.layout = Layout::kPanel16;
  return c;
}

OpCase right_panels_of_float16(OpCase c) { return float16_weights(right_in_panels(std::move(c))); }
OpCase right_panels_of_bfloat16(OpCase c) {
  return bfloat16_weights(right_in_panels(std::move(c)));
}

OpCase with_residual(OpCase c) {
  c.name += "_residual";
  if (c.inputs.size() == 2) c.inputs.push_back(absent());
  c.inputs.push_back(c.outputs[0]);
  return c;
}

OpCase residual_of_panels(OpCase c) { return with_residual(right_in_panels(std::move(c))); }

// Columns of the residual are not side by side.
OpCase residual_in_columns(OpCase c) {
  c = with_residual(std::move(c));
  c.name += "_in_columns";
  const auto rank = static_cast<uint32_t>(c.outputs[0].dims.size());
  std::vector<uint32_t>& order = c.inputs[kResidualInput].order;
  for (uint32_t d = 0; d + 2 < rank; ++d) order.push_back(d);
  order.push_back(rank - 1);
  order.push_back(rank - 2);
  return c;
}

OpCase broadcast(OpCase c, uint32_t a, uint32_t b) {
  c.inputs[0].repeated = a;
  c.inputs[1].repeated = b;
  return c;
}

}  // namespace

std::vector<OpCase> matmul_cases() {
  const Activation relu = {ActivationKind::kClip, 0, __builtin_inff()};
  std::vector<OpCase> cases = expanded({
      matmul("square", {16, 16}, {16, 16}),
      {matmul("prime", {7, 13}, {13, 19}),
       {right_in_panels, float16_weights, bfloat16_weights, right_panels_of_float16,
        right_panels_of_bfloat16, with_residual, residual_in_columns}},
      matmul("one_element", {1, 1}, {1, 1}),
      matmul("row", {1, 37}, {37, 50}),
      matmul("column", {123, 5}, {5, 1}),
      matmul("batches", {3, 7, 8}, {3, 8, 6}),
      {matmul("batches_4d", {2, 3, 4, 5}, {2, 3, 5, 17}), {with_residual, residual_in_columns}},
      matmul("rank_8", {2, 1, 2, 1, 2, 1, 7, 8}, {2, 1, 2, 1, 2, 1, 8, 5}),
      {broadcast(matmul("broadcast_b", {2, 3, 4, 5}, {2, 3, 5, 18}), 0, 3),
       {right_in_panels, float16_weights, bfloat16_weights, residual_of_panels}},
      broadcast(matmul("broadcast_a", {2, 3, 6, 7}, {2, 3, 7, 8}), 1, 2),
      with_orders(matmul("transposed_a", {9, 7}, {7, 20}), {1, 0}, {}, {}),
      with_orders(matmul("transposed_b", {9, 7}, {7, 20}), {}, {1, 0}, {}),
      with_orders(matmul("transposed_all", {9, 7}, {7, 20}), {1, 0}, {1, 0}, {1, 0}),
      with_c(matmul("c", {5, 6}, {6, 17}), 0, 1, 1),
      {with_c(matmul("c_alpha_beta", {5, 6}, {6, 17}), 0, 0.5f, -2), {with_residual}},
      {with_c(matmul("c_row", {5, 6}, {6, 17}), 1, 1.5f, 0.25f),
       {right_in_panels, right_panels_of_float16, right_panels_of_bfloat16}},
      with_c(matmul("c_column", {5, 6}, {6, 17}), 2, 1, 1),
      with_c(matmul("c_scalar", {5, 6}, {6, 17}), 3, 1, 1),
      with_c(matmul("c_batches", {2, 5, 6}, {2, 6, 17}), 1, 1, 3),
      {with_c(matmul("bias", {3, 9, 20}, {3, 20, 35}), 3, 1, 1),
       {with_residual, residual_of_panels}},
      matmul("alpha", {5, 6}, {6, 17}, {.alpha = -0.5f, .beta = 1, .activation = {}}),
      {matmul("clip", {5, 6}, {6, 17}, {.alpha = 1, .beta = 1, .activation = relu}),
       {right_in_panels, with_residual}},
      matmul("sigmoid", {5, 6}, {6, 17},
             {.alpha = 1, .beta = 1, .activation = {ActivationKind::kSigmoid, 0, 0}}),
      matmul("swish", {5, 16}, {16, 17},
             {.alpha = 1, .beta = 1, .activation = {ActivationKind::kSwish, 1.25f, 0}}),
      matmul("hard_swish_of_scaled", {5, 16}, {16, 17},
             {.alpha = -2, .beta = 1, .activation = {ActivationKind::kHardSwish, 0.25f, 0.5f}}),
      {matmul("large", {33, 64}, {64, 70}), {right_in_panels}},
      {matmul("large_row", {1, 700}, {700, 90}),
       {right_in_panels, float16_weights, bfloat16_weights, right_panels_of_float16,
        right_panels_of_bfloat16}},
      {matmul("one_inner", {9, 1}, {1, 33}), {right_in_panels}},
      {matmul("rows_of_a_tile", {14, 20}, {20, 32}), {right_in_panels}},
      {matmul("rows_and_columns_beyond_a_tile", {15, 21}, {21, 33}), {right_in_panels}},
      {loosely(matmul("many_inner", {29, 530}, {530, 48})),
       {right_in_panels, with_residual, residual_of_panels}},
      {with_c(matmul("many_columns_and_c", {3, 7}, {7, 300}), 1, 1, 1), {right_in_panels}},
      matmul("no_rows", {0, 4}, {4, 5}),
      {matmul("no_columns", {3, 4}, {4, 0}), {right_in_panels}},
      {with_c(matmul("no_inner", {3, 0}, {0, 18}), 0, 1, 1), {right_in_panels}},
      matmul("no_batches", {0, 3, 4}, {0, 4, 5}),
  });
  OpCase absent_c = matmul("absent_c", {4, 4}, {4, 4});
  absent_c.inputs.push_back(absent());
  cases.push_back(absent_c);
  return cases;
}

std::vector<Numbers> matmul_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<MatMulAttributes>(c);
  const Numbers& a = inputs[0];
  const Numbers& b = inputs[1];
  Numbers y = blank_output(c, 0);
  const size_t rank = y.dims.size();
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    Index in_a = to;
    Index in_b = to;
    // Panels serve all batches.
    for (size_t d = 0; d + 2 < rank; ++d) in_b[d] = b.dims[d] == 1 ? 0 : to[d];
    Number sum = 0;
    for (uint32_t k = 0; k < a.dims[rank - 1]; ++k) {
      in_a[rank - 1] = k;
      in_b[rank - 2] = k;
      sum += at(a, in_a) * at(b, in_b);
    }
    sum *= static_cast<Number>(attributes.alpha);
    if (inputs.size() > 2 && !c.inputs[2].absent) {
      sum += static_cast<Number>(attributes.beta) * at(inputs[2], to);
    }
    if (inputs.size() > kResidualInput) sum += at(inputs[kResidualInput], to);
    y.values[p] = activated(attributes.activation, sum);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
