// Converts between float32, integers of up to 32 bits, bool and 16-bit floats through cast.comp;
// types of the same bits are copied by move.comp, and so are the low words of integers of 64 bits.
#include "kernels/shaders/cast.h"

#include "core/contract.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/move.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

bool is_int32(DType type) { return type == DType::kInt32 || type == DType::kUint32; }

// To 32 bits: the low word, as the conversion wraps.
bool takes_low_word(DType from, DType to) {
  return (from == DType::kInt64 || from == DType::kUint64) && is_int32(to);
}

// A bool's byte need not be 0 or 1: to bool is no copy.
bool same_bits(DType from, DType to) {
  return (from == to && from != DType::kBool) || (is_int32(from) && is_int32(to));
}

constexpr TypeSet kConvertible = kElements | types::kFloat16s;

uint32_t cast_type(const Operand& operand) {
  if (operand.dtype == DType::kFloat16) return shaders::Cast::kFloat16;
  if (operand.dtype == DType::kBfloat16) return shaders::Cast::kBfloat16;
  return operand.dtype == DType::kBool ? shaders::Cast::kTruth : integer_type(operand);
}

bool accepts_cast(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  return !same_bits(x.dtype, y.dtype) && is_strided(x) && is_strided(y) &&
         has(kConvertible, y.dtype) &&
         // Rounded twice on the way, which may be once too often.
         !(x.dtype == DType::kInt32 && y.dtype == DType::kBfloat16);
}

Status emit_cast(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(
      shaders::Cast{.spec = {.store = stores.kind, .from = cast_type(x), .to = cast_type(y)},
                    .push = {.count = static_cast<uint32_t>(loops.count()),
                             .rank = shader_rank(loops),
                             .x_skip = x.skip,
                             .y_skip = y.skip,
                             .dims = shaders::dims_of(loops),
                             .x_strides = shaders::strides_of(loops, 0),
                             .y_strides = shaders::strides_of(loops, 1)}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

bool accepts_cast_copy(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  return is_strided(x) && is_strided(y) &&
         (same_bits(x.dtype, y.dtype) || takes_low_word(x.dtype, y.dtype));
}

Status emit_cast_copy(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  if (!takes_low_word(x.dtype, y.dtype)) return emit_copy(x, y, sink);
  // As elements of 32 bits twice as far apart.
  uint32_t strides[kMaxRank];
  for (uint32_t d = 0; d < x.rank; ++d) strides[d] = 2 * x.strides[d];
  Operand low = x;
  low.dtype = y.dtype;
  low.strides = strides;
  low.skip = skip_of(x);
  return emit_copy(low, y, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kMove,
     .types = types::kAnyNumber,
     .accepts = accepts_cast_copy,
     .emit = emit_cast_copy},
    {.form = 0,
     .shader = Shader::kCast,
     .types = kConvertible,
     .accepts = accepts_cast,
     .emit = emit_cast},
};

}  // namespace

std::span<const DispatchRow> cast_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
