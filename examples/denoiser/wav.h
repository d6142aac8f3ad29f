// Reads and writes sound: WAV files of 16 kHz, 16 bits, mono.
#pragma once

#include <string>
#include <vector>

inline constexpr int kRate = 16000;

// Samples in -1..1. False: `why` says what was expected and found.
bool read_wav(const char* path, std::vector<float>& samples, std::string& why);
bool write_wav(const char* path, const std::vector<float>& samples);
// SPDX-License-Identifier: Apache-2.0
