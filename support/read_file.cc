// Reads files to their end without asking for their size first: pipes have none.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "support/descriptor.h"
#include "support/file.h"
#include "support/word_errors.h"

namespace arenite {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 16;

[[noreturn]] void fail(const std::string& name, int number) {
  throw FileError(name + ": cannot be read: " + std::strerror(number), name);
}

[[noreturn]] void fail_size(const std::string& name) {
  throw InputError(name + ": holds more than " + std::to_string(kFileBytesMax) +
                   " bytes, which is more than any model, program or tensor has");
}

// `Bytes` is a vector of bytes or a string.
template <typename Bytes>
Bytes read_all(const std::filesystem::path& path) {
  if (path.empty()) throw InputError("expected the name of a file, found none");
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path.string();
  const Descriptor file(standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                       : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about = {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) fail(name, errno);
  if (S_ISDIR(about.st_mode)) throw FileError(name + ": expected a file, found a folder", path);
  Bytes bytes;
  if (S_ISREG(about.st_mode)) {
    const auto size = static_cast<uint64_t>(about.st_size);
    if (size > kFileBytesMax) fail_size(name);
    bytes.reserve(size + 1);  // the last read finds the end, and needs room to look
  }
  for (size_t have = 0;;) {
    bytes.resize(std::max(bytes.capacity(), have + kPieceBytes));
    const ssize_t got = ::read(file.number(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno != EINTR) fail(name, errno);
    have += static_cast<size_t>(std::max<ssize_t>(got, 0));
    if (have > kFileBytesMax) fail_size(name);
    if (got != 0) continue;
    bytes.resize(have);
    return bytes;
  }
}

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  return read_all<std::vector<std::byte>>(path);
}

std::string read_text(const std::filesystem::path& path) { return read_all<std::string>(path); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
