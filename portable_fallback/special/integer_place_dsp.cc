// Depthwise convolution of 8-bit integers to lines of one place with Arm's DSP extension.
#include "portable_fallback/fast/integer_place_dsp_kernel.h"

#include "portable_fallback/shared/place_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr uint32_t kColumns = kPlaceDspColumns;
  static constexpr auto& compute = add_place_dsp;
  static constexpr auto& find_outputs = find_small_outputs;
};

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr uint32_t kColumns = kPlaceDspColumns;
  static constexpr auto& compute = add_place_once_dsp;
  static constexpr auto& find_outputs = find_exact_outputs;
};

}  // namespace

constexpr Form kQuantizedConvForm34 = PlaceForm<Kernel>::form(34);
ARENITE_FORM_CODE(QuantizedConv, 34)
constexpr Form kQuantizedConvForm35 = PlaceForm<OnceKernel>::form(35);
ARENITE_FORM_CODE(QuantizedConv, 35)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
