// Which operators only look at their input's bytes in another way, and the form they see.
#include "planner/layout/views.h"

#include "ops/attributes.h"

namespace arenite::planner {
namespace {

std::optional<Strided> slice_in_place(const Strided& form, const Node& node, const Value& output,
                                      uint32_t view_alignment) {
  const auto attributes = node.attributes_as<SliceAttributes>();
  Strided result = form;
  result.dims = output.dims;
  if (output.elements() == 0) return result;
  for (size_t d = 0; d < result.dims.size(); ++d) {
    if (attributes.step[d] <= 0) return std::nullopt;
    result.offset += static_cast<uint64_t>(attributes.start[d]) * form.strides[d];
    if (result.dims[d] != 1) result.strides[d] *= static_cast<uint32_t>(attributes.step[d]);
  }
  if (result.offset * element_bytes(output.dtype) % view_alignment != 0) return std::nullopt;
  return result;
}

}  // namespace

std::optional<Strided> view_form(const Node& node, const Value& output, const Strided& input,
                                 uint32_t view_alignment) {
  switch (node.op) {
    case Op::kTranspose:
      return transposed(input, node.attributes);
    case Op::kSlice:
      return slice_in_place(input, node, output, view_alignment);
    default:
      return reshape_in_place(input, output.dims);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
