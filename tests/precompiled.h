// Headers that most tests include: GoogleTest, the standard library, and those of the planner that
// compile slowest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/instance.h"
#include "ops/attributes.h"
#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"
// SPDX-License-Identifier: Apache-2.0
