// Lists the pairs of kin, and compares what the better one needs with what a device has.
#include "kernels/dispatch/kin.h"

#include <cstddef>

#include "kernels/dispatch/rules.h"
#include "kernels/shaders/conv_tile.h"
#include "kernels/shaders/matmul_tile.h"
#include "kernels/shaders/quantized_conv.h"
#include "kernels/shaders/quantized_conv_add.h"
#include "kernels/shaders/quantized_conv_add_dot.h"
#include "kernels/shaders/quantized_conv_dot.h"
#include "kernels/shaders/quantized_conv_lookup.h"
#include "kernels/shaders/quantized_conv_lookup_dot.h"
#include "kernels/shaders/quantized_conv_whole.h"
#include "kernels/shaders/quantized_conv_whole_dot.h"
#include "kernels/shaders/quantized_excite.h"
#include "kernels/shaders/quantized_excite_dot.h"
#include "kernels/shaders/quantized_matmul.h"
#include "kernels/shaders/quantized_matmul_dot.h"
#include "kernels/shaders/quantized_matmul_whole.h"
#include "kernels/shaders/quantized_matmul_whole_dot.h"
#include "kernels/shaders/quantized_pointwise_depthwise.h"
#include "kernels/shaders/quantized_pointwise_depthwise_dot.h"
#include "kernels/shaders/quantized_pointwise_depthwise_lookup.h"
#include "kernels/shaders/quantized_pointwise_depthwise_lookup_dot.h"

namespace arenite {
namespace {

struct Kin {
  Shader plain, better;
  // Whether the better one takes what these specialization constants say; null: it takes all.
  bool (*takes)(std::span<const uint32_t> spec) = nullptr;
};

// That they take the same words.
template <typename Plain, typename Better>
constexpr Kin kin() {
  static_assert(std::is_same_v<typename Plain::Spec, typename Better::Spec>);
  if constexpr (requires { typename Plain::Push; }) {
    static_assert(std::is_same_v<typename Plain::Push, typename Better::Push>);
  }
  return {Plain::kShader, Better::kShader};
}

// Subgroups multiply weights of 16 bits, and have nothing to multiply in the pass that adds parts.
template <typename Tile>
bool multiplies_halves(std::span<const uint32_t> spec) {
  using Spec = typename Tile::Spec;
  const auto number = [spec](size_t offset) { return spec[offset / sizeof(uint32_t)]; };
  return number(offsetof(Spec, weights)) ==
             static_cast<uint32_t>(shaders::WeightsType::kFloat16Weights) &&
         number(offsetof(Spec, add_parts)) == 0;
}

bool is_wide_product(std::span<const uint32_t> spec) {
  using Spec = shaders::MatMulTile::Spec;
  return multiplies_halves<shaders::MatMulTile>(spec) &&
         spec[offsetof(Spec, wide) / sizeof(uint32_t)] != 0;
}

// The best kin of a shader stands first.
constexpr Kin kKin[] = {
    {Shader::kMatMulTileHalf, Shader::kMatMulTileWide, is_wide_product},
    {Shader::kMatMulTileHalf, Shader::kMatMulTileCooperative,
     multiplies_halves<shaders::MatMulTile>},
    {Shader::kConvTileHalf, Shader::kConvTileCooperative, multiplies_halves<shaders::ConvTile>},
    kin<shaders::QuantizedConv, shaders::QuantizedConvDot>(),
    kin<shaders::QuantizedConvWhole, shaders::QuantizedConvWholeDot>(),
    kin<shaders::QuantizedConvAdd, shaders::QuantizedConvAddDot>(),
    kin<shaders::QuantizedConvLookup, shaders::QuantizedConvLookupDot>(),
    kin<shaders::QuantizedExcite, shaders::QuantizedExciteDot>(),
    kin<shaders::QuantizedMatMul, shaders::QuantizedMatMulDot>(),
    kin<shaders::QuantizedMatMulWhole, shaders::QuantizedMatMulWholeDot>(),
    kin<shaders::QuantizedPointwiseDepthwise, shaders::QuantizedPointwiseDepthwiseDot>(),
    kin<shaders::QuantizedPointwiseDepthwiseLookup,
        shaders::QuantizedPointwiseDepthwiseLookupDot>(),
};

}  // namespace

Shader best_kin(Shader shader, std::span<const uint32_t> spec, const Capabilities& device) {
  for (const Kin& kin : kKin) {
    if (kin.plain != shader || (kin.takes != nullptr && !kin.takes(spec))) continue;
    if (missing_need(kin.better, device) == nullptr) return kin.better;
  }
  return shader;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
