// Each channel of an image of bytes times a gate, which two products make of the means of all channels.
/* words
use quantized_excite
spec ExciteSpec
parameters ExciteParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "quantized_excite.words.glsl"
#include "quantized_excite.glsl"
// SPDX-License-Identifier: Apache-2.0
