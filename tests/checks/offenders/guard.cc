// Initializes a local static at its first use.
int compute();

int offend() {
  static const int once = compute();
  return once;
}

int compute() { return 7; }
// SPDX-License-Identifier: Apache-2.0
