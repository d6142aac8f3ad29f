// Lists the pairs of kin, and compares what the better one needs with what a device has.
#include "kernels/dispatch/kin.h"

#include <algorithm>

#include "kernels/dispatch/shader_needs.h"
#include "kernels/shaders/quantized_conv.h"
#include "kernels/shaders/quantized_conv_add.h"
#include "kernels/shaders/quantized_conv_add_dot.h"
#include "kernels/shaders/quantized_conv_dot.h"
#include "kernels/shaders/quantized_conv_whole.h"
#include "kernels/shaders/quantized_conv_whole_dot.h"
#include "kernels/shaders/quantized_matmul.h"
#include "kernels/shaders/quantized_matmul_dot.h"
#include "kernels/shaders/quantized_matmul_whole.h"
#include "kernels/shaders/quantized_matmul_whole_dot.h"
#include "kernels/shaders/quantized_pointwise_depthwise.h"
#include "kernels/shaders/quantized_pointwise_depthwise_dot.h"

namespace arenite {
namespace {

struct Kin {
  Shader plain, better;
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

constexpr Kin kKin[] = {
    kin<shaders::QuantizedConv, shaders::QuantizedConvDot>(),
    kin<shaders::QuantizedConvWhole, shaders::QuantizedConvWholeDot>(),
    kin<shaders::QuantizedConvAdd, shaders::QuantizedConvAddDot>(),
    kin<shaders::QuantizedMatMul, shaders::QuantizedMatMulDot>(),
    kin<shaders::QuantizedMatMulWhole, shaders::QuantizedMatMulWholeDot>(),
    kin<shaders::QuantizedPointwiseDepthwise, shaders::QuantizedPointwiseDepthwiseDot>(),
};

}  // namespace

Shader best_kin(Shader shader, const Capabilities& device) {
  const auto* const found = std::find_if(std::begin(kKin), std::end(kKin),
                                         [shader](const Kin& k) { return k.plain == shader; });
  if (found == std::end(kKin)) return shader;
  const auto needs = needs_of(found->better);
  const bool met = std::all_of(needs.begin(), needs.end(), [&](const DeviceNeed& need) {
    return device.meets(static_cast<uint32_t>(need.capability), need.minimum);
  });
  return met ? found->better : shader;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
