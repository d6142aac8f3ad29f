// The importers of all operators: each turns one node of a model into nodes of the graph.
#pragma once

#include <string_view>

#include "planner/import/op_context.h"

namespace arenite::planner {

#define ARENITE_KERNEL_OP(number, name, Type, shader) void import_##name(OpContext& context);
#define ARENITE_VIEW_OP(number, name, Type) void import_##name(OpContext& context);
#define ARENITE_LOWERED_OP(name, Type) void import_##name(OpContext& context);
#include "schema/ops.def"

using OpImporter = void (*)(OpContext& context);

// The importer of an ONNX operator of its own domain, or null.
OpImporter find_importer(std::string_view op_type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
