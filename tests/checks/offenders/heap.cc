// Allocates.
int* offend(int x) { return new int(x); }
// SPDX-License-Identifier: Apache-2.0
