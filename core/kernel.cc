// Finds kernels in a table.
#include "core/kernel.h"

namespace arenite {

const Kernel* find_kernel(KernelTable table, Op op) {
  for (const Kernel* kernel : table) {
    if (kernel->op == op) {
      return kernel;
    }
  }
  return nullptr;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
