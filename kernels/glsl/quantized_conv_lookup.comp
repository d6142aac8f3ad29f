// Quantized convolution of bytes and a table of its results, in one dispatch.
/* words
use conv_table
spec ConvLookupSpec
push WholePush
parameters ConvLookup
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#define TABLE
#include "quantized_conv_lookup.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
