// A tensor in host memory, and the files it is read from and written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "support/file.h"

namespace arenite::tools {

// Row-major little-endian elements.
struct HostTensor {
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  std::vector<std::byte> bytes;
};

// "float32[1,3,224,224]".
std::string describe(DType dtype, std::span<const uint32_t> dims);

// Whether it begins as a .npy file does.
bool is_npy(std::span<const std::byte> file);
// NumPy's .npy, versions 1 to 3. `name` begins the error messages. Throws InputError.
HostTensor parse_npy(std::span<const std::byte> file, const std::string& name);
std::vector<std::byte> serialize_npy(const HostTensor& tensor);

// ONNX's TensorProto (.pb), for tools that link protobuf; others pass null.
struct ProtoFormat {
  HostTensor (*parse)(std::span<const std::byte> file, const std::string& name);
  std::vector<std::byte> (*serialize)(std::string_view tensor_name, const HostTensor& tensor);
};

// Reads a file by its suffix: .npy, .pb, or .bin (raw: takes `expected`'s type and dims, or, if it
// holds a whole number of such tensors, those with a leading dimension more). A file without a
// suffix, as pipes are, is .npy if it begins so, else raw.
HostTensor read_tensor(const std::filesystem::path& path, DType expected_dtype,
                       std::span<const uint32_t> expected_dims, const ProtoFormat* proto);
// The same of bytes without a suffix: .npy where they begin so, else raw.
HostTensor parse_stream(std::vector<std::byte> bytes, const std::string& name, DType expected_dtype,
                        std::span<const uint32_t> expected_dims);
void write_tensor(const std::filesystem::path& path, std::string_view tensor_name,
                  const HostTensor& tensor, const ProtoFormat* proto);

// The tensor's name with every character outside [A-Za-z0-9._-] as '_'.
std::string file_stem(std::string_view tensor_name);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
