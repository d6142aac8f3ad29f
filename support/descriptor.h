// An open file of the process that is closed when its owner goes.
#pragma once

#include <unistd.h>

namespace arenite {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }  // below 0: could not be opened
  // 0, or -1 with errno set: some file systems tell only now that there was no room.
  int close() {
    const int result = number_ < 0 ? 0 : ::close(number_);
    number_ = -1;
    return result;
  }

 private:
  int number_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
