// A keyword spotter that hears nothing: its program is loaded and run.
#include "board.h"
#include "digits.h"

static digits::Instance spotter;

int main() {
  if (!digits::load(spotter).ok() || !spotter.run().ok()) return 1;
  print("ran\n");
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
