// Convolution from weights in panels (include/conv_panel.glsl).
/* words
use conv_panel
spec ConvPanelSpec
push ConvPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "conv_panel.words.glsl"
#include "conv_panel.glsl"
// SPDX-License-Identifier: Apache-2.0
