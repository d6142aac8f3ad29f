// Keeps one device for all tests of the process, and counts its validation messages.
#include "tests/planner/plan/vulkan_run.h"

#include <gtest/gtest.h>

namespace arenite::test {
namespace {

tests::WatchedDevice& shared_machine() {
  static tests::WatchedDevice machine;
  return machine;
}

}  // namespace

VulkanRun::VulkanRun() : machine_(shared_machine()), messages_before_(machine_.watch.count()) {}

bool VulkanRun::ready() const { return machine_.opened.ok(); }

uint32_t VulkanRun::validation_messages() const {
  return machine_.watch.count() - messages_before_;
}

std::vector<std::vector<std::byte>> VulkanRun::run(const Program& program, uint32_t method,
                                                   uint32_t variant,
                                                   std::span<const std::vector<std::byte>> inputs,
                                                   std::span<const std::vector<std::byte>> before) {
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  GuardedBytes state(vk::state_bytes(program, record));
  backend_ = {};
  backend_.device = &machine_.device;
  backend_.state = state.bytes();
  const Backend table = vk::make_backend(backend_);
  RunRequest request;
  request.method = method;
  request.variant = variant;
  request.backend = &table;
  request.before = before;
  return test::run(program, request, inputs);
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
