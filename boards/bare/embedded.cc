// The embedded image of a bare board: the one model it is built with, over the first serial
// port.
#include <array>

#include "boards/bare/console.h"
#include "boards/bare/memories.h"
#include "boards/embedded/run.h"
#include "program.h"

namespace {

using arenite::ModelTensor;

// Inputs and outputs that the model leaves to the application: here, the serial port's side.
constexpr size_t kLentAlignment = 64;

constexpr size_t lent_bytes(const ModelTensor& tensor) {
  return tensor.lent ? (tensor.bytes + kLentAlignment - 1) / kLentAlignment * kLentAlignment : 0;
}

constexpr size_t all_lent_bytes() {
  size_t bytes = 0;
  for (const ModelTensor& tensor : program::kInputTable) bytes += lent_bytes(tensor);
  for (const ModelTensor& tensor : program::kOutputTable) bytes += lent_bytes(tensor);
  return bytes;
}

// The tables hold more than an image needs. The model itself keeps its states.
template <size_t kCount>
constexpr std::array<size_t, kCount> bytes_of(const ModelTensor (&tensors)[kCount]) {
  std::array<size_t, kCount> bytes{};
  for (size_t i = 0; i < kCount; ++i) bytes[i] = tensors[i].state ? 0 : tensors[i].bytes;
  return bytes;
}

constexpr auto kInputBytes = bytes_of(program::kInputTable);
constexpr auto kOutputBytes = bytes_of(program::kOutputTable);

program::Instance instance;
alignas(kLentAlignment) std::byte lent[all_lent_bytes() + 1];

arenite::Status load() { return program::load(instance); }

arenite::Status lend() {
  arenite::Status status;
  size_t before = 0;
  uint32_t index = 0;
  for (const ModelTensor& tensor : program::kInputTable) {
    if (tensor.lent && status.ok()) {
      status = instance.bind_input(index, lent + before, tensor.bytes);
    }
    before += lent_bytes(tensor);
    ++index;
  }
  index = 0;
  for (const ModelTensor& tensor : program::kOutputTable) {
    if (tensor.lent && status.ok()) {
      status = instance.bind_output(index, lent + before, tensor.bytes);
    }
    before += lent_bytes(tensor);
    ++index;
  }
  return status;
}

}  // namespace

extern "C" int image_main();
extern "C" int image_main() {
  const arenite::embedded::Firmware firmware = {
      .instance = &instance,
      .load = load,
      .lend = lend,
      .input_bytes = kInputBytes,
      .output_bytes = kOutputBytes,
      .read = arenite::board::read_bytes,
      .write = arenite::board::write_bytes,
      .store = arenite::board::program_store().bytes.data(),
      .stack_paint = arenite::board::stack_paint,
      .stack_used = arenite::board::stack_used_bytes};
  return arenite::embedded::run_firmware(firmware) ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
