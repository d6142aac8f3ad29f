// Runs a case's step on a Vulkan device: to be compared with the CPU.
#pragma once

#include <optional>

#include "tests/kernels/vulkan_runner.h"
#include "tests/ops/harness.h"

namespace arenite::test {

// `shift`: bytes by which all operands are moved from their place, a multiple of 4, so that their
// buffers start before them. In the way that the planner chooses for the device, or in `way` (of
// ways_of). The status is kUnsupported for a step that shaders don't do, or have no such way for.
ops_test::Runner on_device(VulkanRunner& runner, uint32_t shift, std::optional<size_t> way = {});

// The way in which on_device() runs a case, and how many pipelines the runner would have to build
// for it; nothing for what shaders don't do.
struct WayTaken {
  uint8_t form;
  uint32_t choice;
  size_t pipelines;
};
std::optional<WayTaken> way_taken(const ops_test::OpCase& c, const VulkanRunner& runner,
                                  uint32_t shift, std::optional<size_t> way = {});

// In how many ways shaders do a case; on_device() takes a number below.
uint32_t count_ways(const ops_test::OpCase& c, const VulkanRunner& runner);

// The operators whose steps shaders do.
std::vector<Op> ops_with_shaders();

// Whether the result is no rounded number, and so must agree exactly.
bool is_exact(const ops_test::OpCase& c);

// Opens the device named by the environment variable ARENITE_TEST_DEVICE, or a software one.
std::unique_ptr<VulkanRunner> open_test_device(std::string& why);

// Runs `c` on the CPU and by `runner`; what differs, in words, or empty. `supported` is set to
// whether shaders do it at all (true where the CPU refuses the case too).
std::string compare_with_cpu(const ops_test::OpCase& c, const ops_test::Runner& runner,
                             bool& supported);

// The case with its operands of type T in 16-bit floats, as a device may keep them; nothing where T
// is not float32.
std::optional<ops_test::OpCase> in_halves(const ops_test::OpCase& c);

// Like compare_with_cpu, of a case in_halves(): the CPU computes the same numbers in float32, of
// which the device's result is the nearest 16-bit float.
std::string compare_halves(const ops_test::OpCase& c, const ops_test::Runner& runner,
                           bool& supported);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
