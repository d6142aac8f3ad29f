// Stands for the header that is compiled ahead for tests (tests/gtest.cmake).
#include "tests/precompiled.h"
// SPDX-License-Identifier: Apache-2.0
