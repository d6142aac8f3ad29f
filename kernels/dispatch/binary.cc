// Family binary: two operands in, one out, through binary.comp, or binary_any.comp where one is
// an integer or bool.
#include "kernels/dispatch/binary.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/binary.h"
#include "kernels/shaders/binary_any.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 6;  // what three operands' strides leave of the push words

Loops loops_of(const Operand& a, const Operand& b, const Operand& y) {
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loops.add(y.dims[d], a.strides[d], b.strides[d], y.strides[d]);
  }
  collapse_dims(loops, 2);
  return loops;
}

bool accepts_binary(const Step& step) {
  const DType type = input_operand(step, 0).dtype;
  return input_operand(step, 1).dtype == type && output_operand(step, 0).dtype == type;
}

Status emit_binary(const Step& step, const DispatchSink& sink) {
  return emit_floats(step.op(), input_operand(step, 0), input_operand(step, 1),
                     output_operand(step, 0), step.attributes<BinaryAttributes>().activation, sink);
}

// A power of an integer to a float is computed in double precision: the CPU's.
bool accepts_binary_any(const Step& step) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  const bool floats = is_float(a) && is_float(b) && is_float(output_operand(step, 0));
  return !floats && is_element(b) && (a.dtype == b.dtype || !is_float(b));
}

Status emit_binary_any(const Step& step, const DispatchSink& sink) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<BinaryAttributes>();
  const Activation& activation = attributes.activation;
  Loops loops = loops_of(a, b, y), outer;
  split_outer(loops, kRankMax, outer);
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    const uint32_t y_skip = y.skip + offsets[2];
    const Stores stores = stores_of(y, loops, 2, y_skip);
    DispatchBuilder builder(
        shaders::BinaryAny{.spec = {.store = stores.kind,
                                    .op = step.op(),
                                    .type_a = integer_type(a),
                                    .type_b = integer_type(b),
                                    .truncated = attributes.truncated != 0,
                                    .activation = activation.kind},
                           .push = {.count = static_cast<uint32_t>(loops.count()),
                                    .rank = shader_rank(loops),
                                    .a_skip = a.skip + offsets[0],
                                    .b_skip = b.skip + offsets[1],
                                    .y_skip = y_skip,
                                    .activation_a = activation.a,
                                    .activation_b = activation.b,
                                    .dims = shaders::dims_of(loops),
                                    .a_strides = shaders::strides_of(loops, 0),
                                    .b_strides = shaders::strides_of(loops, 1),
                                    .y_strides = shaders::strides_of(loops, 2)}});
    builder.buffer(a).buffer(b).buffer(y);
    return builder.run_invocations(sink, stores.invocations);
  });
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kBinary,
     .types = types::kFloat32,
     .accepts = accepts_binary,
     .emit = emit_binary},
    {.form = 1,
     .shader = Shader::kBinaryAny,
     .types = kElements,
     .accepts = accepts_binary_any,
     .emit = emit_binary_any},
};
// Unsigned integers are shifted; shaders see the words of 32 bits like any others.
constexpr DispatchRow kShiftRows[] = {
    {.form = 1,
     .shader = Shader::kBinaryAny,
     .types = types::kUnsigned & ~type_set(DType::kUint64),
     .emit = emit_binary_any},
};

}  // namespace

Status emit_floats(Op op, const Operand& a, const Operand& b, const Operand& y,
                   const Activation& activation, const DispatchSink& sink) {
  Loops loops = loops_of(a, b, y), outer;
  split_outer(loops, kRankMax, outer);
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(shaders::Binary{.spec = {.op = op, .activation = activation.kind},
                                            .push = {.count = static_cast<uint32_t>(loops.count()),
                                                     .rank = shader_rank(loops),
                                                     .a_skip = a.skip + offsets[0],
                                                     .b_skip = b.skip + offsets[1],
                                                     .y_skip = y.skip + offsets[2],
                                                     .activation_a = activation.a,
                                                     .activation_b = activation.b,
                                                     .dims = shaders::dims_of(loops),
                                                     .a_strides = shaders::strides_of(loops, 0),
                                                     .b_strides = shaders::strides_of(loops, 1),
                                                     .y_strides = shaders::strides_of(loops, 2)}});
    builder.buffer(a).buffer(b).buffer(y);
    return builder.run_invocations(sink, loops.count());
  });
}

Status emit_residual(const Step& step, const Activation& activation, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  return emit_floats(Op::kAdd, y, input_operand(step, kResidualInput), y, activation, sink);
}

std::span<const DispatchRow> binary_rows(Op op) {
  if (op == Op::kShiftLeft || op == Op::kShiftRight) return kShiftRows;
  return kRows;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
