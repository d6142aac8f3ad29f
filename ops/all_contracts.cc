// The contracts by number, in an object of its own: only who asks for any of them links them all.
#include "ops/contracts.h"

namespace arenite {

const Contract* find_contract(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return &k##Type##Contract;
#include "schema/ops.def"
  }
  return nullptr;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
