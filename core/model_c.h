// Serves the C functions of a model, which `arenite plan --emit-cc` writes.
#pragma once

#include <new>

#include "include/arenite/model.h"
#include "include/arenite/model_c.h"

namespace arenite {

inline arenite_status c_status(Status status) {
  return {static_cast<uint32_t>(status.code), status.step, status.value};
}

// The C++ object in the same bytes as one of C, which has the same members. Zero bytes are an
// object that nothing was loaded into.
template <typename Instance, typename CInstance>
Instance& instance_of(CInstance* instance) {
  static_assert(sizeof(Instance) == sizeof(CInstance));
  static_assert(alignof(Instance) == alignof(CInstance));
  return *std::launder(static_cast<Instance*>(static_cast<void*>(instance)));
}
template <typename Instance, typename CInstance>
const Instance& instance_of(const CInstance* instance) {
  return instance_of<Instance>(const_cast<CInstance*>(instance));
}

inline arenite_quantisation c_quantisation(Quantisation quantisation) {
  return {quantisation.scale, quantisation.zero_point};
}

// `pauses` may be null. As set_pauses() of C++, which sees the same bytes.
inline void set_c_pauses(ModelInstance& instance, arenite_pauses* pauses) {
  if (pauses != nullptr) {
    pauses->functions = &kPauseFunctions;
  }
  set_pauses(instance, static_cast<Pauses*>(static_cast<void*>(pauses)));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
