// Finds the twins that kernels/shaders.def lists.
#include "kernels/dispatch/twins.h"

#include "ops/contracts.h"

namespace arenite {
namespace {

Shader twin_of(Shader shader) {
  switch (shader) {
#define ARENITE_SHADER(number, name, Type, buffers)
#define ARENITE_HALF_TWIN(number, name, Type, buffers, Of) \
  case Shader::k##Of:                                      \
    return Shader::k##Type;
#include "kernels/shaders.def"
    default:
      return shader;
  }
}

bool has_twin(const DispatchRow& row) {
  return has(row.types, DType::kFloat32) && twin_of(row.shader) != row.shader;
}

DType type_of(const Step& step) { return type_of(step, *find_contract(step.op())); }

}  // namespace

TypeSet types_taken(const DispatchRow& row, const Contract& contract) {
  const TypeSet own = row.types & contract.types;
  return has_twin(row) ? own | type_set(DType::kFloat16) : own;
}

Shader shader_of(const DispatchRow& row, DType type) {
  return has_twin(row) && type == DType::kFloat16 ? twin_of(row.shader) : row.shader;
}

Shader shader_of(const DispatchRow& row, const Step& step) { return shader_of(row, type_of(step)); }

TwinSink::TwinSink(const Step& step, const DispatchSink& sink)
    : sink_(sink), halves_(type_of(step) == DType::kFloat16) {}

Status TwinSink::add(void* context, const Dispatch& dispatch) {
  const auto& twin = *static_cast<const TwinSink*>(context);
  if (!twin.halves_) return twin.sink_.add(twin.sink_.context, dispatch);
  Dispatch copy = dispatch;
  copy.shader = twin_of(dispatch.shader);
  return twin.sink_.add(twin.sink_.context, copy);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
