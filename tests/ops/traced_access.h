// Pointers that tell a listener of each element they read or write: core/access.h for kernels that
// are built to be watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace arenite {

// Hears of each access while it is set. The kernels are a library, which only globals reach.
struct AccessListener {
  virtual void read(const std::byte* at, size_t bytes) = 0;
  virtual void write(const std::byte* at, size_t bytes) = 0;

 protected:
  ~AccessListener() = default;
};
inline AccessListener* access_listener = nullptr;

namespace traced {

inline void note_read(const void* at, size_t bytes) {
  if (access_listener != nullptr) {
    access_listener->read(static_cast<const std::byte*>(at), bytes);
  }
}
inline void note_write(const void* at, size_t bytes) {
  if (access_listener != nullptr) {
    access_listener->write(static_cast<const std::byte*>(at), bytes);
  }
}

// An element that may be written.
template <typename T>
class Element {
 public:
  explicit Element(T* at) : at_(at) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator T() const {
    note_read(at_, sizeof(T));
    return *at_;
  }
  const Element& operator=(T value) const {
    note_write(at_, sizeof(T));
    *at_ = value;
    return *this;
  }

 private:
  T* at_;
};

}  // namespace traced

template <typename T>
class Traced {
 public:
  Traced() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Traced(std::nullptr_t) {}
  explicit Traced(T* at) : at_(at) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator Traced<const T>() const requires(!std::is_const_v<T>) { return Traced<const T>(at_); }

  T* raw() const { return at_; }
  auto operator*() const {
    if constexpr (std::is_const_v<T>) {
      traced::note_read(at_, sizeof(T));
      return std::remove_const_t<T>(*at_);
    } else {
      return traced::Element<T>(at_);
    }
  }
  template <typename I>
  auto operator[](I i) const {
    return *(*this + i);
  }
  template <typename I>
  Traced operator+(I i) const {
    return Traced(at_ + i);
  }
  template <typename I>
  Traced& operator+=(I i) {
    at_ += i;
    return *this;
  }
  template <typename U>
  bool operator==(const Traced<U>& other) const {
    return at_ == other.raw();
  }
  bool operator==(std::nullptr_t) const { return at_ == nullptr; }

 private:
  T* at_ = nullptr;
};

template <typename T>
using Src = Traced<const T>;
template <typename T>
using Dst = Traced<T>;

template <typename T>
Src<T> as(const std::byte* from) {
  return Src<T>(static_cast<const T*>(static_cast<const void*>(from)));
}
template <typename T>
Dst<T> as(std::byte* to) {
  return Dst<T>(static_cast<T*>(static_cast<void*>(to)));
}
template <typename T>
Src<T> as(Src<std::byte> from) {
  return as<T>(from.raw());
}
template <typename T>
Dst<T> as(Dst<std::byte> to) {
  return as<T>(to.raw());
}

template <typename T>
void take(T* to, Src<T> from, size_t count) {
  traced::note_read(from.raw(), count * sizeof(T));
  std::memcpy(to, from.raw(), count * sizeof(T));
}
template <typename T>
void put(Dst<T> to, const T* from, size_t count) {
  traced::note_write(to.raw(), count * sizeof(T));
  std::memcpy(to.raw(), from, count * sizeof(T));
}
template <typename T>
const T* read_range(Src<T> from, size_t count) {
  traced::note_read(from.raw(), count * sizeof(T));
  return from.raw();
}
inline void move_bytes(Dst<std::byte> to, Src<std::byte> from, size_t bytes) {
  traced::note_read(from.raw(), bytes);
  traced::note_write(to.raw(), bytes);
  std::memmove(to.raw(), from.raw(), bytes);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
