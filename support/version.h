// The version of Arenite.
#pragma once

namespace arenite {

// "0.1.0 (1a2b3c4d5e)": the version, and the commit where the build knew one; "-modified" follows
// where files differed from it.
extern const char* const kVersion;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
