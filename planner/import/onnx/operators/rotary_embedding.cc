// Imports RotaryEmbedding, of opset 23 and of com.microsoft: pairs of elements turned by the angle
// of their place, in steps over two halves.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

struct Rotary {
  ValueId x = kNoValue;                    // [N, heads, L, size] or [N, L, hidden]
  ValueId cos = kNoValue, sin = kNoValue;  // [N, L, half] or, with places, [places, half]
  ValueId places = kNoValue;               // [N, L]
};

void add_rotary(OpContext& context, const Rotary& rotary) {
  Steps steps(context);
  const Dims given = steps.dims(rotary.x);
  if (given.size() != 3 && given.size() != 4) {
    context.fail("expected [N, heads, length, size] or [N, length, hidden], found " +
                 dims_text(given));
  }
  for (const ValueId cache : {rotary.cos, rotary.sin}) {
    const size_t rank = rotary.places == kNoValue ? 3 : 2;
    if (steps.dims(cache).size() != rank || steps.dims(cache).back() == 0) {
      context.fail("expected angles of rank " + std::to_string(rank) + ", found " +
                   dims_text(steps.dims(cache)));
    }
  }
  Dim heads = context.int_attribute("num_heads", 0);
  const int64_t wanted = context.int_attribute("rotary_embedding_dim", 0);
  const bool interleaved = context.flag_attribute("interleaved", false);
  const bool flat = given.size() == 3;
  // If nothing gives the number of heads, each head is rotated wholly.
  if (flat && heads == 0) heads = given[2] / (2 * steps.dims(rotary.cos).back());
  if (flat && (heads < 1 || given[2] % heads != 0)) {
    context.fail_attribute("num_heads", dim_text(heads) + " does not divide " + dim_text(given[2]));
  }
  // Heads behind the length or before it; the angles are the same for all of them.
  ValueId x = rotary.x;
  if (flat) x = steps.reshape(x, {given[0], given[1], heads, given[2] / heads});
  const Dims dims = steps.dims(x);
  const Dim size = dims[3];
  const Dim turned = wanted == 0 ? size : Dim(wanted);
  if (turned < 2 || turned > size || turned % 2 != 0) {
    context.fail_attribute(
        "rotary_embedding_dim",
        "is " + dim_text(turned) + ", expected an even number up to " + dim_text(size));
  }
  const Dim length = flat ? dims[1] : dims[2];
  const auto angles = [&](ValueId cache) {
    if (rotary.places != kNoValue) {
      Dims rows = steps.dims(rotary.places);
      rows.push_back(steps.dims(cache).back());
      const ValueId found = context.add_between("angles", context.dtype(cache), rows);
      context.add_node(Op::kGather, {cache, rotary.places}, {found}, GatherAttributes{0});
      cache = found;
    }
    const Dims found = steps.dims(cache);
    const bool good = found.size() == 3 && (found[0] == dims[0] || found[0] == 1) &&
                      found[1] == length && found[2] == turned / 2;
    if (!good) {
      context.fail("expected angles [" + dim_text(dims[0]) + ", " + dim_text(length) + ", " +
                   dim_text(turned / 2) + "], found " + dims_text(found));
    }
    return steps.reshape(cache, flat ? Dims{found[0], length, 1, turned / 2}
                                     : Dims{found[0], 1, length, turned / 2});
  };
  const ValueId cos = angles(rotary.cos), sin = angles(rotary.sin);
  const ValueId all = turned == size ? x : steps.slice(x, 3, 0, turned);
  const Dims half = {dims[0], dims[1], dims[2], turned / 2};
  const auto part = [&](int64_t i) {
    if (!interleaved) return steps.slice(all, 3, i * turned / 2, turned / 2);
    const ValueId pairs = steps.reshape(all, {dims[0], dims[1], dims[2], turned / 2, 2});
    return steps.reshape(steps.slice(pairs, 4, i, 1), half);
  };
  const ValueId a = part(0), b = part(1);
  const auto times = [&](ValueId left, ValueId right) {
    return steps.binary(Op::kMul, left, right);
  };
  ValueId real = steps.binary(Op::kSub, times(a, cos), times(b, sin));
  ValueId imaginary = steps.binary(Op::kAdd, times(a, sin), times(b, cos));
  ValueId y = kNoValue;
  if (interleaved) {
    Dims one = half;
    one.push_back(1);
    y = steps.concat({steps.reshape(real, one), steps.reshape(imaginary, one)}, 4);
    y = steps.reshape(y, {dims[0], dims[1], dims[2], turned});
    if (turned != size) y = steps.concat({y, steps.slice(x, 3, turned, size - turned)}, 3);
  } else {
    std::vector<ValueId> parts = {real, imaginary};
    if (turned != size) parts.push_back(steps.slice(x, 3, turned, size - turned));
    y = steps.concat(parts, 3);
  }
  reshape_to_output(context, y, given);
}

}  // namespace

// X, cos_cache, sin_cache, position_ids.
void import_rotary_embedding(OpContext& context) {
  context.expect_operands(3, 4);
  Rotary rotary = {context.input(0), context.input(1), context.input(2), kNoValue};
  if (context.has_input(3)) rotary.places = context.input(3);
  add_rotary(context, rotary);
}

// Inputs: input, position_ids, cos_cache, sin_cache. If position_ids is one number, places count
// from it.
void import_microsoft_rotary_embedding(OpContext& context) {
  context.expect_operands(4, 4);
  if (context.flag_attribute("is_packed_batching", false)) {
    context.unsupported_attribute("is_packed_batching", "1 is not supported",
                                  "0, with sequences of one length");
  }
  if (context.float_attribute("scale", 1.0f) != 1.0f) {
    context.unsupported_attribute("scale", "another than 1 is not supported",
                                  "a Mul of the caches");
  }
  Steps steps(context);
  const ValueId x = context.input(0);
  const Dims dims = steps.dims(x);
  ValueId places = context.input(1);
  if (context.value(places).elements() == 1 && dims.size() >= 3) {
    const Dim length = dims[dims.size() - 2];
    const ValueId first = steps.reshape(steps.cast(places, DType::kInt64), {1, 1});
    places = steps.binary(Op::kAdd, steps.counting({1, length}), first);
  }
  add_rotary(context, {x, context.input(2), context.input(3), places});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
