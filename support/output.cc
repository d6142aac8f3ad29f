// Prints through stdio and asks each time whether it worked: its error flag alone forgets errno.
#include "support/output.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE is POSIX
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "support/printable.h"

namespace arenite {
namespace {

// Each thread's own; null: it prints on the standard streams.
thread_local KeptOutput* kept = nullptr;

void check(bool good) {
  if (!good) throw OutputError("standard output", errno, true);
}

// The number is the lowest that is free, so `number` itself when those below are open.
void open_if_closed(int number, int flags) {
  if (::fcntl(number, F_GETFD) == -1 && errno == EBADF) {
    static_cast<void>(::open("/dev/null", flags));
  }
}

}  // namespace

OutputError::OutputError(const std::string& where, int number, bool standard_output)
    : std::runtime_error(where + ": cannot be written: " + std::strerror(number)),
      quiet(standard_output && number == EPIPE) {}

void print(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  char* text = nullptr;
  const int size = ::vasprintf(&text, format, arguments);
  va_end(arguments);
  if (size < 0) throw std::bad_alloc();
  const std::unique_ptr<char, void (*)(void*)> owner(text, std::free);
  print_text(printable_lines({text, static_cast<size_t>(size)}));
}

void print_error(std::string_view name, std::string_view message) {
  if (message.ends_with('\n')) message.remove_suffix(1);
  const std::string line = std::string(name) + ": " + printable_lines(message) + "\n";
  if (kept != nullptr) {
    kept->errors += line;
  } else {
    std::fputs(line.c_str(), stderr);
  }
}

void print_text(std::string_view text) {
  if (kept != nullptr) {
    kept->printed += text;
    return;
  }
  check(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void finish_output() { check(std::fflush(stdout) == 0 && std::ferror(stdout) == 0); }

KeptOutput::KeptOutput() { kept = this; }
KeptOutput::~KeptOutput() { kept = nullptr; }

void prepare_standard_streams() {
  // Opened the wrong way round: using them gives EBADF, as if they were closed.
  open_if_closed(STDIN_FILENO, O_WRONLY);
  open_if_closed(STDOUT_FILENO, O_RDONLY);
  open_if_closed(STDERR_FILENO, O_WRONLY);
  ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
