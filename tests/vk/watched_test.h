// What the tests of a device share: it is opened under validation, and closed without a message.
#pragma once

#include <gtest/gtest.h>

#include "tests/vk/vulkan_machine.h"

namespace arenite::tests {

class WatchedTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(watched.opened.ok()); }
  // Closing the device under validation finds every object that was not given back.
  void TearDown() override {
    vk::close_device(watched.device);
    EXPECT_EQ(watched.watch.count(), 0u);
  }
  WatchedDevice watched;
};

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
