// Jumps out of a form, from the system's signal or from a watching function.
#include "tools/simulate/caught.h"

#include <ucontext.h>

#include <csetjmp>
#include <csignal>

namespace arenite::tools {
namespace {

// A signal handler has no argument for it.
struct Landing {
  const Watch* watch = nullptr;
  sigjmp_buf place;
  Access access;
};
thread_local Landing* landing = nullptr;

bool is_write([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr auto kWriteBit = 2;  // of the page fault's error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  return false;
#endif
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (landing != nullptr) {
    const Watch& watch = *landing->watch;
    const uint64_t place = reinterpret_cast<uintptr_t>(info->si_addr) - watch.base;
    if (place < watch.bytes) {
      const uint64_t mask = (uint64_t{1} << watch.slot_bits) - 1;
      fail_here({static_cast<uint32_t>(place >> watch.slot_bits), place & mask, 1,
                 is_write(context), FaultKind::kOutside});
    }
  }
  // A mistake of somebody else: the access is made again, and ends the process.
  std::signal(signal, SIG_DFL);
}

// The handler while it lives.
class Handler {
 public:
  Handler() {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_[0]);
    sigaction(SIGBUS, &action, &before_[1]);
  }
  ~Handler() {
    sigaction(SIGSEGV, &before_[0], nullptr);
    sigaction(SIGBUS, &before_[1], nullptr);
  }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  struct sigaction before_[2] = {};
};

}  // namespace

CaughtRun run_caught(const Watch& watch, const std::function<Status()>& code) {
  const Handler handler;
  Landing here;
  here.watch = &watch;
  landing = &here;
  CaughtRun run;
  if (sigsetjmp(here.place, 0) == 0) {
    run.status = code();
  } else {
    run.access = here.access;
  }
  landing = nullptr;
  return run;
}

void fail_here(const Access& access) {
  landing->access = access;
  siglongjmp(landing->place, 1);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
