// Finds the twins that kernels/shaders.def lists.
#include "kernels/dispatch/twins.h"

#include "ops/contracts.h"

namespace arenite {
namespace {

Shader twin_of(Shader shader) {
  switch (shader) {
#define ARENITE_SHADER(number, name, Type, buffers)
#define ARENITE_COOPERATIVE_TWIN(number, name, Type, buffers)
#define ARENITE_WIDE_TWIN(number, name, Type, buffers)
#define ARENITE_HALF_TWIN(number, name, Type, buffers, Of) \
  case Shader::k##Of:                                      \
    return Shader::k##Type;
#include "kernels/shaders.def"
    default:
      return shader;
  }
}

}  // namespace

TypeSet types_taken(const DispatchRow& row, const Contract& contract) {
  const TypeSet own = row.types & contract.types;
  const bool has_twin = has(own, DType::kFloat32) && twin_of(row.shader) != row.shader;
  return has_twin ? own | type_set(DType::kFloat16) : own;
}

Shader shader_for(Shader shader, DType type) {
  return type == DType::kFloat16 ? twin_of(shader) : shader;
}

Shader shader_of(const DispatchRow& row, const Step& step) {
  return shader_for(row.shader, type_of(step, *find_contract(step.op())));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
