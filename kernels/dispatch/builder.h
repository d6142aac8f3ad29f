// The pieces every dispatch is built from: operands as buffers, constants, grids.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/step.h"
#include "kernels/dispatch/collapse.h"
#include "kernels/dispatch/command.h"
#include "kernels/dispatch/words.h"
#include "ops/attributes.h"

namespace arenite {

// Steps that need more dispatches than this go to the CPU.
inline constexpr uint64_t kMaxStepDispatches = 4096;
// Flat indices of invocations stay below this.
inline constexpr uint64_t kMaxInvocations = uint64_t{1} << 31;

// An operand as shaders see it. dims and strides have `rank` entries.
struct Operand {
  uint32_t value = kNoIndex;
  const uint32_t* dims = nullptr;
  const uint32_t* strides = nullptr;
  uint32_t rank = 0;
  uint32_t skip = 0;        // elements before the first one in the bound range
  uint32_t skip_bytes = 0;  // the same in bytes
  DType dtype = DType::kNone;
  Layout layout = Layout::kStrided;

  uint64_t count() const;
  // Whether the elements along `axis` are neighbors and form whole groups of so many, a power of
  // two, each at a place that is a multiple of its size.
  bool groups_of(uint32_t size, uint32_t axis) const;
  // Whether shaders can load them as vec4.
  bool groups_of_four(uint32_t axis) const { return groups_of(4, axis); }
};

Operand input_operand(const Step& step, uint32_t i);
Operand output_operand(const Step& step, uint32_t i);
// The step's scratch, which begins at a bound place: bytes without dims.
Operand scratch_operand(const Step& step);

// The dims and strides (operand 0: x, operand 1: y) of a map from x to y.
Loops map_loops(const Operand& x, const Operand& y);

inline bool is_float(const Operand& operand) { return operand.dtype == DType::kFloat32; }
// Whether a number fits one half of a push word.
inline bool fits_half(uint32_t number) { return number <= 0xffff; }
inline bool is_strided(const Operand& operand) { return operand.layout == Layout::kStrided; }

// Whether a row of an image [N, C, H, W] begins where the one before ends.
inline bool crosses_rows_in_one_stride(const Operand& image) {
  return image.strides[2] == image.dims[3] * image.strides[3];
}

class DispatchBuilder {
 public:
  // Begins a dispatch with all words of its shader: the struct of kernels/shaders/<shader>.h.
  template <typename ShaderWords>
  explicit DispatchBuilder(const ShaderWords& words)
      : DispatchBuilder(ShaderWords::kShader, words) {}
  // Begins a dispatch of one of several shaders that take the same words.
  template <typename Words>
  DispatchBuilder(Shader shader, const Words& words) {
    dispatch_.shader = shader;
    if constexpr (requires { words.spec; }) dispatch_.spec_count = fill(dispatch_.spec, words.spec);
    if constexpr (requires { words.push; }) dispatch_.push_count = fill(dispatch_.push, words.push);
    if constexpr (requires { words.parameters; }) {
      // Whole vectors of four words, the last one filled with zeros.
      const uint32_t count = fill(dispatch_.parameters, words.parameters);
      dispatch_.parameter_count = (count + 3) / 4 * 4;
    }
  }

  DispatchBuilder& buffer(const Operand& operand);
  DispatchBuilder& flag();
  // Behind all buffers: an operand of at most kMaxUniformBytes (is_uniform).
  DispatchBuilder& uniform(const Operand& operand);

  // One invocation each, or one group each. `count` must be in [1, kMaxInvocations).
  Status run_invocations(const DispatchSink& sink, uint64_t count);
  Status run_groups(const DispatchSink& sink, uint64_t count);

 private:
  template <uint32_t kMax, typename Words>
  static uint32_t fill(uint32_t (&words)[kMax], const Words& from) {
    static_assert(std::is_trivially_copyable_v<Words> && sizeof(Words) <= sizeof(words));
    std::memcpy(words, &from, sizeof(from));
    return sizeof(from) / sizeof(uint32_t);
  }

  Dispatch dispatch_ = {};
};

// The rank that shaders get: they run over at least one dim.
inline uint32_t shader_rank(const Loops& loops) { return loops.rank == 0 ? 1 : loops.rank; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
