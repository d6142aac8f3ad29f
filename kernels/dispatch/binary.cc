// Family binary: two operands in, one out, through binary.comp, or binary_any.comp where one is
// an integer or bool.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"

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

}  // namespace

bool supports_binary(const Step& step) {
  return is_float(input_operand(step, 0)) && is_float(input_operand(step, 1)) &&
         is_float(output_operand(step, 0));
}

Status emit_binary(const Step& step, const DispatchSink& sink) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const auto activation = step.attributes<BinaryAttributes>().activation;
  Loops loops = loops_of(a, b, y), outer;
  split_outer(loops, kRankMax, outer);
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(Shader::kBinary);
    builder.buffer(a).buffer(b).buffer(y);
    builder.spec(static_cast<uint32_t>(step.op())).spec(static_cast<uint32_t>(activation.kind));
    builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
    builder.push(a.skip + offsets[0]).push(b.skip + offsets[1]).push(y.skip + offsets[2]);
    builder.push(activation.a).push(activation.b).push_loops(loops, kRankMax, 3);
    return builder.run_invocations(sink, loops.count());
  });
}

// A power of an integer to a float is computed in double precision: the CPU's.
bool supports_binary_any(const Step& step) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  // Of unsigned integers; whose words shaders see like any others.
  if (step.op() == Op::kShiftLeft || step.op() == Op::kShiftRight) {
    return is_element(a) || a.dtype == DType::kUint32;
  }
  const bool floats = is_float(a) && is_float(b) && is_float(output_operand(step, 0));
  return !floats && is_element(a) && is_element(b) && (a.dtype == b.dtype || !is_float(b));
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
    DispatchBuilder builder(Shader::kBinaryAny);
    builder.buffer(a).buffer(b).buffer(y);
    builder.spec(stores.kind).spec(static_cast<uint32_t>(step.op()));
    builder.spec(integer_type(a)).spec(integer_type(b)).spec(attributes.truncated);
    builder.spec(static_cast<uint32_t>(activation.kind));
    builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
    builder.push(a.skip + offsets[0]).push(b.skip + offsets[1]).push(y_skip);
    builder.push(activation.a).push(activation.b).push_loops(loops, kRankMax, 3);
    return builder.run_invocations(sink, stores.invocations);
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
