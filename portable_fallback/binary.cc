// The check of elementwise operators of two inputs, and their common loop.
#include "portable_fallback/binary.h"

#include "portable_fallback/check.h"
#include "portable_fallback/lead.h"

namespace arenite {

Status check_binary(const Step& step) {
  ARENITE_TRY(check_attributes<BinaryAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 2, .max_inputs = 2, .max_outputs = 1}));
  const DType type = step.output(0).dtype;
  ARENITE_TRY(check_all_types(step, type));
  if (type == DType::kBool || type == DType::kFloat16 || type == DType::kBfloat16) {
    return output_error(step, Code::kBadType);
  }
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const Activation activation = step.attributes<BinaryAttributes>().activation;
  if (type != DType::kFloat32 && activation.kind != ActivationKind::kNone) {
    return error(Code::kBadAttribute);
  }
  return check_activation(activation);
}

Binary::Binary(const Step& step) {
  const Tensor left = step.input(0);
  const Tensor right = step.input(1);
  const OutTensor result = step.output(0);
  a = left.read<std::byte>();
  b = right.read<std::byte>();
  y = result.write<std::byte>();
  dtype = result.dtype;
  activation = step.attributes<BinaryAttributes>().activation;
  if (is_empty(result)) return;
  for (uint32_t d = 0; d < result.rank; ++d) {
    loop.add(result.dims[d], signed_stride(result, d), signed_stride(left, d),
             signed_stride(right, d));
  }
  loop.sort();
  loop.merge();
}

uint64_t binary_lead(const Step& step, uint32_t input) {
  const Binary task(step);
  LeadWalk walk;
  if (task.loop.rank == 0) return 0;
  const uint32_t bytes = element_bytes(task.dtype);
  // One number for a whole row is read once.
  const bool once = input == 1 && task.dtype == DType::kFloat32 && task.loop.inner_stride(0) == 1 &&
                    task.loop.inner_stride(1) == 1 && task.loop.inner_stride(2) == 0;
  if (!once) {
    walk_loop(walk, task.loop, 1 + input, {.y_bytes = bytes, .x_bytes = bytes});
    return walk.lead_bytes();
  }
  const uint32_t rows = RowCursor::rows(task.loop, kRowPiece);
  RowCursor row(task.loop, kRowPiece, 0);
  for (uint32_t i = 0; i < rows; ++i, row.next()) {
    walk.read(int64_t{row.offset(2)} * bytes);
    walk.write((int64_t{row.offset(0)} + row.count()) * bytes);
  }
  return walk.lead_bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
