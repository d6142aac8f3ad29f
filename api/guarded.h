// Keeps exceptions inside a C interface: a result and a text come out instead.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "include/arenite.h"
#include "tools/run/runner.h"

namespace arenite::api {

inline arenite_result failed(std::string& last_error, arenite_result result,
                             const char* message) noexcept {
  try {
    last_error = message;
  } catch (...) {
    last_error.clear();  // even the text is too much for this machine
  }
  return result;
}

// Runs `body`; what it throws becomes a result, and its text the last error.
template <typename Body>
arenite_result guarded(std::string& last_error, Body body) noexcept {
  try {
    body();
    return ARENITE_OK;
  } catch (const tools::RunCancelled& error) {
    return failed(last_error, ARENITE_CANCELLED, error.what());
  } catch (const tools::RunError& error) {
    return failed(last_error, ARENITE_FAILED, error.what());
  } catch (const InputError& error) {
    return failed(last_error, ARENITE_BAD_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return failed(last_error, ARENITE_NO_MEMORY, "this machine has too little memory for it");
  } catch (const std::exception& error) {
    return failed(last_error, ARENITE_FAILED, error.what());
  } catch (...) {
    return failed(last_error, ARENITE_FAILED, "unknown error");
  }
}

// Throws InputError that names a null argument.
inline void require(const void* argument, const char* name) {
  if (argument == nullptr) throw InputError(std::string(name) + ": expected a pointer, found null");
}

}  // namespace arenite::api
// SPDX-License-Identifier: Apache-2.0
