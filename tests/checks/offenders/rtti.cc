// Asks an object for its type.
struct Base {
  virtual int value() const { return 0; }
};
struct Derived : Base {
  int value() const override { return 1; }
};

bool offend(Base* base) { return dynamic_cast<Derived*>(base) != nullptr; }

// Keeps the objects in use.
int value_of_derived() { return Derived().value(); }
// SPDX-License-Identifier: Apache-2.0
