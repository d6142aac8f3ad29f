// Steps that reduce along some axes: each combination of the other axes' indices is a row.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

bool supports_rows(const Step& step);
// 0: an invocation does a row; 1: a group does.
uint32_t choose_rows(const Step& step, uint32_t axes);
// What a shader of rows works on, and who does a row.
struct RowWork {
  Shader shader;
  uint32_t axes;  // a bit each
  bool group;     // a group does a row, not an invocation
  // What the shader is specialised by after `group` and the op.
  uint32_t spec[4] = {};
  uint32_t spec_count = 0;
  bool in_order = false;  // the elements of a row are numbered row-major, not as they lie
  // Buffers behind x and y, and the shader's parameter block.
  Operand tables[2] = {};
  uint32_t table_count = 0;
  uint32_t parameters[12] = {};
  uint32_t parameter_count = 0;

  void add_parameter(uint32_t word) { parameters[parameter_count++] = word; }
};
Status emit_rows(const Step& step, const RowWork& work, const DispatchSink& sink);
// Dispatches a shader of glsl/include/rows.glsl (specialised by whether a group does a row, which
// the step's choice says, and by the op) over the rows that `axes` (a bit each) leaves.
Status emit_rows(const Step& step, Shader shader, uint32_t axes, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
