// Runs code before main().
int compute(int x);

struct Registrar {
  Registrar() : value(compute(1)) {}
  int value;
};

extern const Registrar registrar;
const Registrar registrar;

int compute(int x) { return *const_cast<volatile int*>(&x); }
// SPDX-License-Identifier: Apache-2.0
