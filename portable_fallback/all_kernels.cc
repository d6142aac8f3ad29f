// The table of all kernels, in an object of its own: only who asks for it links them all.
#include "portable_fallback/kernels.h"

namespace arenite {
namespace {

constexpr const Kernel* kAllKernels[] = {
#define ARENITE_KERNEL_OP(number, name, Type, shader) &k##Type##Kernel,
#include "schema/ops.def"
};

}  // namespace

KernelTable all_kernels() { return kAllKernels; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
