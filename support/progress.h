// Shows the progress of long work on a terminal's standard error; the work itself reports it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace arenite {

// `what` is being done now; `done` of `total` parts are (total 0: nobody knows). May be called
// often, and from any thread.
using ProgressHook = std::function<void(const std::string& what, uint64_t done, uint64_t total)>;

// Calls a hook that may be empty.
inline void tell(const ProgressHook& hook, const std::string& what, uint64_t done, uint64_t total) {
  if (hook) hook(what, done, total);
}

// A line that names the work and its time, from half a second on; it goes with its object. Silent
// if standard error is no terminal.
class Progress {
 public:
  // `name` begins the line.
  explicit Progress(const std::string& name, uint64_t total = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();  // one more part is done
  void show(const std::string& what, uint64_t done, uint64_t total);
  ProgressHook hook();  // show(), as long as the object lives

 private:
  struct State;
  std::unique_ptr<State> state_;  // null: silent
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
