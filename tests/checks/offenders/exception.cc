// Throws.
int offend(int x) {
  if (x < 0) throw x;
  return x;
}
// SPDX-License-Identifier: Apache-2.0
