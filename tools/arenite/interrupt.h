// Lets long work end early when the user interrupts it: Ctrl-C asks for what there is, a second one
// kills.
#pragma once

#include <atomic>

namespace arenite::tools {

// Lets SIGINT set a flag instead of ending the process, once. If the parent ignores SIGINT, as
// nohup and shells' background jobs do, it stays ignored.
void catch_interrupt();

// Whether it has been set; a signal handler sets it.
const std::atomic<bool>& interrupted();

// The exit status that shells give a command ended by SIGINT.
inline constexpr int kInterruptedStatus = 130;

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
