// Indices that are data, int32 or int64. To be included after the buffer `indices`, of int words; the
// shader defines kWide.

// One of 64 bits that 32 can't hold saturates.
int index_at(uint at) {
  int index = indices[at];
  if (kWide) {
    int high = indices[at + 1u];
    if (high != (index >> 31)) index = high < 0 ? -0x7fffffff : 0x7fffffff;
  }
  return index;
}
// SPDX-License-Identifier: Apache-2.0
