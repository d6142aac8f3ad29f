// Status and Result: functions of the runtime return an error code, or a value or an error code.
#pragma once

#include <cstdint>

#include "include/arenite/status.h"

namespace arenite {

// All are kept out of line: three words built at every place that returns are most of its cost, and
// so is the value of those that have none.
Status ok_status();
Status error(Code code);
Status error(Code code, uint32_t value);

// A T or the status that says why there is none. T must be default-constructible.
template <typename T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Result(T value) : value_(value) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Result(const Status& status) : status_(status) {}

  constexpr bool ok() const { return status_.ok(); }
  constexpr Status status() const { return status_; }
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

 private:
  T value_{};
  Status status_;
};

}  // namespace arenite

// Returns from the calling function when `expression` is not ok.
#define ARENITE_TRY(expression)                                                    \
  do {                                                                             \
    if (::arenite::Status arenite_status_ = (expression); !arenite_status_.ok()) { \
      return arenite_status_;                                                      \
    }                                                                              \
  } while (false)
// SPDX-License-Identifier: Apache-2.0
