// A signal handler sets a flag and leaves the second signal to the default action.
#include "tools/arenite/interrupt.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX

namespace arenite::tools {
namespace {

// A signal handler is given a number and nothing else: what it sets has to be here.
std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int /*signal*/) { g_interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

void catch_interrupt() {
  struct sigaction before = {};
  if (::sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

const std::atomic<bool>& interrupted() { return g_interrupted; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
