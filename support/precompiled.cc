// Stands for the header that is compiled ahead (cmake/arenite.cmake).
#include "support/precompiled.h"
// SPDX-License-Identifier: Apache-2.0
