// The twins of shaders, for steps whose floats are kept in 16 bits
// (kernels/glsl/include/floats.glsl).
#pragma once

#include "kernels/dispatch/rules.h"

namespace arenite {

// The types that T may have for a row of an operator: those of both, and float16 where the row's
// shader has a twin that does what it does for float32.
TypeSet types_taken(const DispatchRow& row, const Contract& contract);

// The shader that runs of a row where T is `type`, or for a step: its own, or the twin of that.
Shader shader_of(const DispatchRow& row, DType type);
Shader shader_of(const DispatchRow& row, const Step& step);

// What receives a step's dispatches: `sink` itself, or what hands it each with the twin of its
// shader. Lives as long as the dispatches are emitted.
class TwinSink {
 public:
  TwinSink(const Step& step, const DispatchSink& sink);
  TwinSink(const TwinSink&) = delete;
  TwinSink& operator=(const TwinSink&) = delete;

  DispatchSink sink() { return {this, add}; }

 private:
  static Status add(void* context, const Dispatch& dispatch);

  const DispatchSink& sink_;
  const bool halves_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
