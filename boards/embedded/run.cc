// Loads one model and runs it on each request.
#include "boards/embedded/run.h"

#include <cstring>

extern "C" [[gnu::noinline]] void arenite_load_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_load_end() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_run_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_run_end() { asm volatile(""); }

namespace arenite::embedded {
namespace {

struct Answer {
  Status status;
  uint32_t stack_bytes;
};
static_assert(sizeof(Answer) == 16, "four words: code, step, value, stack_bytes");

class Server {
 public:
  explicit Server(const Firmware& firmware) : firmware_(firmware), inputs_(firmware.store) {}

  bool load();
  bool run(bool from_store);

 private:
  void take_inputs(bool from_store);
  template <typename Call>
  bool answer_of(Call call);

  const Firmware& firmware_;
  const std::byte* inputs_;  // of the next run, in the store
};

// Makes the call and answers with its status and what it took of the stack.
template <typename Call>
bool Server::answer_of(Call call) {
  const size_t before = firmware_.stack_paint();
  Answer answer{call(), 0};
  answer.stack_bytes = static_cast<uint32_t>(firmware_.stack_used() - before);
  firmware_.write({reinterpret_cast<const uint8_t*>(&answer), sizeof answer});
  return answer.status.ok();
}

bool Server::load() {
  return answer_of([this] {
    arenite_load_begin();
    const Status status = firmware_.load();
    arenite_load_end();
    return status.ok() ? firmware_.lend() : status;
  });
}

void Server::take_inputs(bool from_store) {
  uint32_t index = 0;
  for (const size_t bytes : firmware_.input_bytes) {
    const std::span<uint8_t> input{static_cast<uint8_t*>(firmware_.instance->input(index++)),
                                   bytes};
    if (from_store) {
      std::memcpy(input.data(), inputs_, bytes);
      inputs_ += bytes;
    } else {
      firmware_.read(input);
    }
  }
}

bool Server::run(bool from_store) {
  take_inputs(from_store);
  const bool good = answer_of([this] {
    arenite_run_begin();
    const Status status = firmware_.instance->run();
    arenite_run_end();
    return status;
  });
  if (!good) return false;
  uint32_t index = 0;
  for (const size_t bytes : firmware_.output_bytes) {
    firmware_.write({static_cast<const uint8_t*>(firmware_.instance->output(index++)), bytes});
  }
  return true;
}

}  // namespace

bool run_firmware(const Firmware& firmware) {
  Server server(firmware);
  if (!server.load()) return false;
  bool good = true;
  for (uint8_t command = 0; firmware.read({&command, 1}), command == 'r' || command == 's';) {
    good = server.run(command == 's') && good;
  }
  return good;
}

}  // namespace arenite::embedded
// SPDX-License-Identifier: Apache-2.0
