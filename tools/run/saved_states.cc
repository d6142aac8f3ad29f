// Little-endian words and bytes: a tag, the number of states; of each its name's length and bytes,
// type, rank, dims, length and bytes; the checksum of all before it.
#include "tools/run/saved_states.h"

#include <cstring>
#include <map>
#include <string>

#include "core/crc32.h"
#include "support/printable.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

constexpr uint32_t kTag = 0x53'4e'52'41;  // "ARNS"

class Writer {
 public:
  void word(size_t number) {
    const auto stored = static_cast<uint32_t>(number);
    add(std::as_bytes(std::span(&stored, 1)));
  }
  void counted(std::span<const std::byte> bytes) {
    word(bytes.size());
    add(bytes);
  }
  std::vector<std::byte> take() && {
    word(crc32(bytes_));
    return std::move(bytes_);
  }

 private:
  void add(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> bytes_;
};

// Throws InputError where there are no more bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  uint32_t word() {
    uint32_t number = 0;
    const std::span<const std::byte> from = bytes(sizeof number);
    std::memcpy(&number, from.data(), sizeof number);
    return number;
  }
  std::span<const std::byte> counted() { return bytes(word()); }
  std::span<const std::byte> bytes(size_t count) {
    if (count > left_.size()) throw InputError("saved states: they end too early");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  bool done() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

struct Saved {
  HostTensor form;
  std::span<const std::byte> bytes;
};

uint64_t bytes_of(const HostTensor& form) {
  uint64_t bytes = element_bytes(form.dtype);
  for (const uint32_t dim : form.dims) bytes *= dim;
  return bytes;
}

std::map<std::string, Saved> read(std::span<const std::byte> file) {
  constexpr size_t kWord = sizeof(uint32_t);
  if (file.size() < 3 * kWord || Reader(file).word() != kTag) {
    throw InputError("saved states: expected what saving them gave, found " +
                     std::to_string(file.size()) + " bytes of something else");
  }
  const std::span<const std::byte> content = file.first(file.size() - kWord);
  if (Reader(file.last(kWord)).word() != crc32(content)) {
    throw InputError("saved states: their checksum is wrong: they are damaged, or cut off");
  }
  Reader reader(content.subspan(kWord));
  std::map<std::string, Saved> states;
  for (uint32_t i = 0, count = reader.word(); i < count; ++i) {
    const std::span<const std::byte> name = reader.counted();
    Saved saved;
    saved.form.dtype = static_cast<DType>(reader.word());
    for (uint32_t d = 0, rank = reader.word(); d < rank; ++d) {
      saved.form.dims.push_back(reader.word());
    }
    saved.bytes = reader.counted();
    states.emplace(std::string(reinterpret_cast<const char*>(name.data()), name.size()), saved);
  }
  if (!reader.done()) throw InputError("saved states: more follows them");
  return states;
}

}  // namespace

std::vector<std::byte> save_states(Runner& runner) {
  const ProgramFile& file = runner.file();
  const std::vector<std::vector<std::byte>> states = runner.states();
  Writer writer;
  writer.word(kTag);
  uint32_t count = 0;
  for (uint32_t i = 0; i < states.size(); ++i)
    count += file.state_of(runner.method(), i) != nullptr;
  writer.word(count);
  for (uint32_t i = 0; i < states.size(); ++i) {
    if (file.state_of(runner.method(), i) == nullptr) continue;
    const Tensor form = runner.instance().input_tensor(i);
    const std::string name = file.input_name(runner.method(), i);
    writer.counted(std::as_bytes(std::span(name)));
    writer.word(static_cast<uint32_t>(form.dtype()));
    writer.word(form.rank());
    for (uint32_t d = 0; d < form.rank(); ++d) writer.word(form.dims[d]);
    writer.counted(states[i]);
  }
  return std::move(writer).take();
}

void load_states(Runner& runner, std::span<const std::byte> saved) {
  const ProgramFile& file = runner.file();
  const std::map<std::string, Saved> found = read(saved);
  std::vector<std::vector<std::byte>> states = runner.states();
  std::vector<HostTensor> forms(states.size());
  size_t taken = 0;
  for (uint32_t i = 0; i < states.size(); ++i) {
    if (file.state_of(runner.method(), i) == nullptr) continue;
    const std::string name = file.input_name(runner.method(), i);
    const DType dtype = input_form(file.program(), runner.method(), i).dtype;
    const std::vector<DimRange> ranges = input_ranges(file.program(), runner.method(), i);
    const auto one = found.find(name);
    if (one == found.end()) throw InputError("saved states: none is called " + quote(name));
    const Saved& is = one->second;
    if (is.form.dtype != dtype || !lie_in(is.form.dims, ranges) ||
        is.bytes.size() != bytes_of(is.form)) {
      throw InputError("saved states: " + quote(name) + " is " +
                       describe(is.form.dtype, is.form.dims) + ", expected " +
                       describe(dtype, ranges));
    }
    states[i].assign(is.bytes.begin(), is.bytes.end());
    forms[i] = is.form;
    ++taken;
  }
  if (taken != found.size()) {
    throw InputError("saved states: " + std::to_string(found.size()) + " of them, expected " +
                     std::to_string(taken));
  }
  const std::vector<uint32_t> numbers = symbols_for(file, runner.method(), forms, runner.symbols());
  if (!numbers.empty()) runner.set_symbols(numbers);
  runner.set_states(states);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
