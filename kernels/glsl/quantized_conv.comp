// Quantised convolution of any integers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_conv.glsl"
// SPDX-License-Identifier: Apache-2.0
