// Writes a regular file beside the old one and renames it when all is done; writes others in place.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <optional>

#include "support/descriptor.h"
#include "support/file.h"
#include "support/output.h"
#include "support/word_errors.h"

namespace arenite {
namespace {

namespace fs = std::filesystem;

// The number in "/dev/fd/63" and the like, the ways a shell hands over an open file.
std::optional<int> open_file_named_by(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stdin") return STDIN_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// The end of the symbolic links of `path`; a file need not be there yet.
fs::path resolved(fs::path path) {
  constexpr int kLinksMax = 40;  // as Linux itself
  const std::string name = path.string();
  for (int i = 0; i < kLinksMax; ++i) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return path;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  throw OutputError(name, ELOOP);
}

int write_whole(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(file, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return -1;
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return 0;
}

void write_through(const fs::path& path, int flags, std::span<const std::byte> bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags));
  if (file.number() < 0 || write_whole(file.number(), bytes) != 0 || file.close() != 0) {
    throw UnwritableError(path.string(), path, errno);
  }
}

// A name beside `path` that no file has; its length does not depend on the other's.
fs::path name_beside(const fs::path& path, int attempt) {
  return path.parent_path() /
         (".arenite-" + std::to_string(::getpid()) + "-" + std::to_string(attempt));
}

// Opens a new file beside `path`; its number is below 0, and errno set, where that is not to be
// had.
int open_beside(const fs::path& path, fs::path& beside) {
  constexpr int kAttempts = 100;  // leftovers of processes that had our number
  int file = -1;
  for (int i = 0; i < kAttempts; ++i) {
    beside = name_beside(path, i);
    file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) break;
  }
  return file;
}

// Whether the new file could be made the old one's equal.
bool take_over(int file, const struct stat& old) {
  return ::fchown(file, old.st_uid, old.st_gid) == 0 && ::fchmod(file, old.st_mode & 07777u) == 0;
}

// `old` is null where there is no file yet.
void replace(const fs::path& path, const struct stat* old, std::span<const std::byte> bytes) {
  // A new name would get past a file that is write-protected.
  if (old != nullptr && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    throw UnwritableError(path.string(), path, errno);
  }
  fs::path beside;
  Descriptor file(open_beside(path, beside));
  if (file.number() < 0 && old == nullptr) throw UnwritableError(path.string(), path, errno);
  if (file.number() < 0) return write_through(path, O_TRUNC, bytes);
  const bool equal = old == nullptr || take_over(file.number(), *old);
  if (equal && write_whole(file.number(), bytes) == 0 && file.close() == 0 &&
      ::rename(beside.c_str(), path.c_str()) == 0) {
    return;
  }
  const int number = errno;
  ::unlink(beside.c_str());
  // A file that is mounted on its own (EBUSY) can be written, but not replaced.
  if (old != nullptr && (!equal || number == EBUSY)) return write_through(path, O_TRUNC, bytes);
  throw UnwritableError(path.string(), path, number);
}

}  // namespace

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  if (const std::optional<int> open = open_file_named_by(path.string())) {
    if (*open == STDOUT_FILENO) {
      print_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      return finish_output();
    }
    if (write_whole(*open, bytes) != 0) throw UnwritableError(path.string(), path, errno);
    return;
  }
  struct stat about = {};
  const bool there = ::stat(path.c_str(), &about) == 0;
  if (!there && errno != ENOENT) throw UnwritableError(path.string(), path, errno);
  if (there && !S_ISREG(about.st_mode)) return write_through(path, 0, bytes);
  replace(resolved(path), there ? &about : nullptr, bytes);
}

void write_file(const fs::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

bool is_standard_output(const fs::path& path) {
  return open_file_named_by(path.string()) == STDOUT_FILENO;
}

bool is_stream(const fs::path& path) {
  struct stat about = {};
  return open_file_named_by(path.string()) ||
         (::stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
