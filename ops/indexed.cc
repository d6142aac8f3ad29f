// The contracts of family indexed: elements read from places, or written to them, that indices
// name.
#include "ops/indexed.h"

#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// The items and the indices have the same dims; the whole has as many, and no fewer elements beside
// the axis.
bool fits_by_element(const Tensor& whole, const Tensor& indices, const Tensor& items,
                     uint32_t axis) {
  bool fits = indices.rank() == whole.rank() && items.rank() == whole.rank();
  for (uint32_t d = 0; fits && d < whole.rank(); ++d) {
    fits = items.dims[d] == indices.dims[d] && (d == axis || indices.dims[d] <= whole.dims[d]);
  }
  return fits;
}

bool fits_by_tuple(const Tensor& whole, const Tensor& indices, const Tensor& items,
                   const IndexedPlaces& places) {
  if (places.tuple == 0 || places.batch > places.outer || places.batch > whole.rank() ||
      places.tuple > whole.rank() - places.batch) {
    return false;
  }
  const uint32_t slice = whole.rank() - places.batch - places.tuple;
  bool fits = items.rank() == places.outer + slice;
  for (uint32_t d = 0; fits && d < items.rank(); ++d) {
    const uint32_t at = places.whole_dim(d);
    fits = (d >= places.outer || items.dims[d] == indices.dims[d]) &&
           (at == kNoIndex || items.dims[d] == whole.dims[at]);
  }
  return fits;
}

Status check_indexed(const Step& step) {
  const Op op = step.op();
  const auto attributes = step.attributes<IndexedAttributes>();
  const bool scatters = is_scatter(op);
  const bool by_element = is_by_element(op);
  const Tensor data = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  const bool bools = y.dtype() == DType::kBool;
  if (attributes.reduction > (scatters && !bools ? 4u : 0u) ||
      (attributes.axis != 0 && (!by_element || attributes.axis >= data.rank())) ||
      (attributes.batch_dims != 0 && op != Op::kGatherND)) {
    return error(Code::kBadAttribute);
  }
  if (indices.rank() == 0 || data.rank() == 0) return input_error(step, Code::kBadShape, 1);
  if (scatters) {
    ARENITE_TRY(check_same_dims(step, 0));
    // The updates bound the work: each is read once.
    ARENITE_TRY(check_dense_enough(step, 2));
  }
  const Tensor items = scatters ? step.input(2) : Tensor(y);
  const bool fits = by_element ? fits_by_element(data, indices, items, attributes.axis)
                               : fits_by_tuple(data, indices, items, indexed_places(step));
  if (fits) return ok_status();
  return scatters ? input_error(step, Code::kBadShape, 2) : output_error(step, Code::kBadShape);
}

constexpr Contract indexed(Op op, TypeSet types) {
  const uint8_t operands = is_scatter(op) ? 3 : 2;
  return {.op = op,
          .max_inputs = operands,
          .min_inputs = operands,
          .attribute_words = words_of<IndexedAttributes>(),
          .layout = {.kind = is_scatter(op) ? LayoutClass::kFollows : LayoutClass::kRowMajor},
          .types = types,
          .inputs = {OperandType::kT, OperandType::kIndex, OperandType::kT},
          .check = check_indexed};
}

}  // namespace

#define ARENITE_OP_indexed(number, name, Type, set) \
  constexpr Contract k##Type##Contract = indexed(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
