// The CPU reference kernel of each operator, by name; and the table of all of them for hosts.
#pragma once

#include "core/kernel.h"

namespace arenite {

#define ARENITE_KERNEL_OP(number, name, Type, shader) extern const Kernel k##Type##Kernel;
#include "schema/ops.def"

// Every kernel. Firmware names the ones it needs in a table of its own instead, so that no other is
// linked.
KernelTable all_kernels();

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
