// Keeps state in a file-scope variable that starts at zero.
static int calls;

int offend() { return ++calls; }
// SPDX-License-Identifier: Apache-2.0
