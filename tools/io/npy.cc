// Reads and writes NumPy's .npy files.
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "support/printable.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint64_t kMaxBytes = 0xffffffffu;

struct NpyType {
  std::string_view code;  // after the byte-order character
  DType dtype;
};

// bfloat16 has no code of its own: it is written as its bits, u2.
constexpr std::array<NpyType, 12> kTypes = {{{"f4", DType::kFloat32},
                                             {"f8", DType::kFloat64},
                                             {"f2", DType::kFloat16},
                                             {"i1", DType::kInt8},
                                             {"u1", DType::kUint8},
                                             {"i2", DType::kInt16},
                                             {"u2", DType::kUint16},
                                             {"i4", DType::kInt32},
                                             {"u4", DType::kUint32},
                                             {"i8", DType::kInt64},
                                             {"u8", DType::kUint64},
                                             {"b1", DType::kBool}}};

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw InputError(name + ": not a usable .npy file: " + what);
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The text of a header entry, from behind "'key':" on.
std::string_view entry(std::string_view header, std::string_view key, const std::string& name) {
  const std::string name_in_header = quote(key);
  const size_t at = header.find(name_in_header);
  const size_t colon =
      at == std::string_view::npos ? at : header.find(':', at + name_in_header.size());
  if (colon == std::string_view::npos) fail(name, "the header has no " + quote(key));
  std::string_view rest = header.substr(colon + 1);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return rest;
}

std::vector<uint32_t> parse_shape(std::string_view text, const std::string& name) {
  if (text.empty() || text.front() != '(') fail(name, "the shape is no tuple");
  text.remove_prefix(1);
  std::vector<uint32_t> dims;
  for (;;) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
    if (text.empty()) fail(name, "the shape does not end");
    if (text.front() == ')') return dims;
    uint32_t dim = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (error != std::errc{}) fail(name, "a dimension is no number below 2^32");
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    dims.push_back(dim);
    if (dims.size() > kMaxRank + 1) fail(name, "it has more than 9 dimensions");
  }
}

// Column-major elements to row-major ones.
std::vector<std::byte> to_row_major(std::span<const std::byte> from, std::span<const uint32_t> dims,
                                    uint32_t element) {
  std::vector<std::byte> to(from.size());
  std::vector<uint32_t> index(dims.size(), 0);
  for (size_t at = 0; at < to.size(); at += element) {
    size_t source = 0;
    for (size_t d = dims.size(); d-- > 0;) source = source * dims[d] + index[d];
    std::memcpy(to.data() + at, from.data() + source * element, element);
    for (size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
  return to;
}

}  // namespace

bool is_npy(std::span<const std::byte> file) { return as_text(file).starts_with(kMagic); }

HostTensor parse_npy(std::span<const std::byte> file, const std::string& name) {
  if (file.size() < 10 || !is_npy(file)) fail(name, "the magic is missing");
  const auto byte = [&](size_t i) { return std::to_integer<uint32_t>(file[i]); };
  const uint32_t version = byte(6);
  if (version < 1 || version > 3) fail(name, "version " + std::to_string(version));
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  if (file.size() < start) fail(name, "it ends inside its header");
  uint64_t header_bytes = 0;
  for (size_t i = 0; i < length_bytes; ++i) header_bytes |= uint64_t{byte(8 + i)} << (8 * i);
  if (header_bytes > file.size() - start) fail(name, "it ends inside its header");
  const std::string_view header = as_text(file.subspan(start, header_bytes));

  const std::string_view descr = entry(header, "descr", name);
  if (descr.size() < 5 || (descr[0] != '\'' && descr[0] != '"')) {
    fail(name, "the type is no string");
  }
  const std::string_view code = descr.substr(1, descr.find(descr[0], 1) - 1);
  if (code.size() != 3) fail(name, "type " + quote(code) + " is not supported");
  HostTensor tensor;
  for (const NpyType& type : kTypes) {
    if (code.substr(1) == type.code) tensor.dtype = type.dtype;
  }
  if (tensor.dtype == DType::kNone) {
    fail(name, "type " + quote(code) + " is not supported");
  }
  const uint32_t element = element_bytes(tensor.dtype);
  if (code[0] == '>' && element > 1) fail(name, "big-endian elements; expected little-endian");

  tensor.dims = parse_shape(entry(header, "shape", name), name);
  uint64_t bytes = element;
  for (const uint32_t dim : tensor.dims) {
    if (dim != 0 && bytes > kMaxBytes / dim) fail(name, "it has more than 4 GiB");
    bytes *= dim;
  }
  const std::span<const std::byte> data = file.subspan(start + header_bytes);
  if (data.size() != bytes) {
    fail(name, "expected " + std::to_string(bytes) + " bytes of elements, found " +
                   std::to_string(data.size()));
  }
  const std::string_view order = entry(header, "fortran_order", name);
  if (!order.starts_with("True") && !order.starts_with("False")) {
    fail(name, "fortran_order is neither True nor False");
  }
  if (order.starts_with("True")) {
    tensor.bytes = to_row_major(data, tensor.dims, element);
  } else {
    tensor.bytes.assign(data.begin(), data.end());
  }
  return tensor;
}

std::vector<std::byte> serialize_npy(const HostTensor& tensor) {
  std::string_view code = "u2";
  for (const NpyType& type : kTypes) {
    if (type.dtype == tensor.dtype) code = type.code;
  }
  std::string header = "{'descr': '";
  header += element_bytes(tensor.dtype) > 1 ? '<' : '|';
  header += code;
  header += "', 'fortran_order': False, 'shape': (";
  for (const uint32_t dim : tensor.dims) header += std::to_string(dim) + ", ";
  if (tensor.dims.size() > 1) header.erase(header.size() - 2);
  header += "), }";
  // Elements start at a multiple of 64 bytes, as numpy itself writes them.
  while ((kMagic.size() + 4 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';

  std::string head(kMagic);
  head += '\x01';
  head += '\x00';
  head += static_cast<char>(header.size() & 0xff);
  head += static_cast<char>(header.size() >> 8);
  head += header;
  std::vector<std::byte> file(head.size() + tensor.bytes.size());
  std::memcpy(file.data(), head.data(), head.size());
  if (!tensor.bytes.empty()) {
    std::memcpy(file.data() + head.size(), tensor.bytes.data(), tensor.bytes.size());
  }
  return file;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
