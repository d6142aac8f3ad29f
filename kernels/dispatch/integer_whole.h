// Quantized convolutions and matrix products in one dispatch, which turns sums into results as soon
// as it has them (kernels/glsl/include/integer_whole.glsl): where sums have 32 bits, zero points
// are known, and multipliers and shifts are few enough for uniform buffers.
#pragma once

#include "kernels/dispatch/integer_sums.h"
#include "kernels/shaders/shared/integer_whole.h"

namespace arenite {

// Whether a shader takes the words of such a dispatch.
template <typename WholeShader>
inline constexpr bool kTakesWhole =
    std::is_same_v<typename WholeShader::Spec, shaders::WholeSpec>&&
        std::is_same_v<typename WholeShader::Push, shaders::WholePush> &&
    sizeof(WholeShader::parameters) == sizeof(shaders::WholeWords) + sizeof(OwnWords);

// A step's choice says this: the invocations that share four sums, or the neighboring places of
// which an invocation computes four sums each.
struct WholeTile {
  uint32_t slices_log = 0;  // choices 0 to kSlicesLogMax
  uint32_t places_log = 0;  // 1 and 2: the choices behind them
};
inline constexpr uint32_t kPlacesLogMax = 2;
inline constexpr uint32_t kWholeChoices = (kSlicesLogMax + 1) * (kPlacesLogMax + 1);
WholeTile whole_tile(uint32_t choice);
// The slices that suit so many tiles of one place, with `taps` runs each.
uint32_t choose_whole_slices(const IntegerSumPass& pass, uint64_t taps);

// Whether shaders do a step so whose output channels lie along `axis` of y.
bool accepts_whole(const Step& step, uint32_t axis);
// Returns how a pass reads elements: as `pass.words` says, as vectors of words, or as one x for
// four sums. Runs lie along `x_axis` of x and `w_axis` of w.
WordUse words_of_whole(const IntegerSumStep& operands, const IntegerSumPass& pass, bool same_x,
                       uint32_t x_axis, uint32_t w_axis);

// Emits the dispatch: `pass.invocations` are tiles.
Status emit_whole(const Step& step, const IntegerSumStep& operands, const IntegerSumPass& pass,
                  uint32_t axis, const OwnWords& own, const QuantizedProduct& product,
                  const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
