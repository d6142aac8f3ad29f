// Keeps state in a file-scope variable.
static int calls = 1;

int offend() { return ++calls; }
// SPDX-License-Identifier: Apache-2.0
