// Reads and writes tensor files by suffix, and names tensors for people.
#include "tools/io/tensor.h"

namespace arenite::tools {

std::string describe(DType dtype, std::span<const uint32_t> dims) {
  std::string text(text_of(dtype));
  text += '[';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(dims[i]);
  }
  return text + ']';
}

namespace {

HostTensor parse_raw(std::vector<std::byte> file, const std::string& name, DType dtype,
                     std::span<const uint32_t> dims) {
  uint64_t bytes = element_bytes(dtype);
  for (const uint32_t dim : dims) bytes *= dim;
  HostTensor tensor;
  tensor.dtype = dtype;
  tensor.dims.assign(dims.begin(), dims.end());
  if (file.size() != bytes) {
    if (bytes == 0 || file.empty() || file.size() % bytes != 0) {
      throw InputError(name + ": expected " + std::to_string(bytes) + " bytes for " +
                       describe(dtype, dims) + ", or a multiple; found " +
                       std::to_string(file.size()));
    }
    tensor.dims.insert(tensor.dims.begin(), static_cast<uint32_t>(file.size() / bytes));
  }
  tensor.bytes = std::move(file);
  return tensor;
}

[[noreturn]] void fail_suffix(const std::filesystem::path& path, const ProtoFormat* proto) {
  throw InputError(path.string() + ": expected a file ending in .npy" +
                   (proto != nullptr ? ", .pb" : "") + " or .bin, found '" +
                   path.extension().string() + "'");
}

}  // namespace

HostTensor read_tensor(const std::filesystem::path& path, DType expected_dtype,
                       std::span<const uint32_t> expected_dims, const ProtoFormat* proto) {
  const std::string suffix = path.extension().string();
  if (suffix == ".npy") return parse_npy(read_file(path), path.string());
  if (suffix == ".bin") {
    return parse_raw(read_file(path), path.string(), expected_dtype, expected_dims);
  }
  if (suffix == ".pb" && proto != nullptr) return proto->parse(read_file(path), path.string());
  if (!suffix.empty() && !is_stream(path)) fail_suffix(path, proto);
  return parse_stream(read_file(path), path.string(), expected_dtype, expected_dims);
}

HostTensor parse_stream(std::vector<std::byte> bytes, const std::string& name, DType expected_dtype,
                        std::span<const uint32_t> expected_dims) {
  if (is_npy(bytes)) return parse_npy(bytes, name);
  return parse_raw(std::move(bytes), name, expected_dtype, expected_dims);
}

void write_tensor(const std::filesystem::path& path, std::string_view tensor_name,
                  const HostTensor& tensor, const ProtoFormat* proto) {
  const std::string suffix = path.extension().string();
  if (suffix == ".npy") {
    write_file(path, serialize_npy(tensor));
  } else if (suffix == ".bin") {
    write_file(path, tensor.bytes);
  } else if (suffix == ".pb" && proto != nullptr) {
    write_file(path, proto->serialize(tensor_name, tensor));
  } else {
    fail_suffix(path, proto);
  }
}

std::string file_stem(std::string_view tensor_name) {
  std::string stem;
  for (const char c : tensor_name) {
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
    stem += kept ? c : '_';
  }
  return stem;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
