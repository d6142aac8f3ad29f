// The contract of each operator, by name; and of any, for hosts.
#pragma once

#include "core/contract.h"

namespace arenite {

// k<Type>Contract, and k<Type>Types: what schema/ops.def says T may be.
#define ARENITE_OP(number, name, Type, family, set)        \
  inline constexpr TypeSet k##Type##Types = types::k##set; \
  extern const Contract k##Type##Contract;
#include "schema/ops.def"

// The contract of an operator of schema/ops.def, null for another number. Links all of them.
const Contract* find_contract(Op op);

// 32-bit words of an attribute struct, and the word at which its Activation begins.
template <typename T>
constexpr uint8_t words_of() {
  return sizeof(T) / 4;
}
template <typename T>
constexpr uint8_t activation_of() {
  return __builtin_offsetof(T, activation) / 4;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
