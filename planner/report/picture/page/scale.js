// Ranges that can be zoomed and moved, and the round numbers of their axes.

// The shown part, `low` to `high`, of the whole range, `least` to `most`.
class Range {
  constructor(least, most, smallest) {
    this.least = least;
    this.most = Math.max(most, least + smallest);
    this.smallest = smallest;  // never less is shown
    this.fit();
  }

  get length() {
    return this.high - this.low;
  }

  get whole() {
    return this.low <= this.least && this.high >= this.most;
  }

  fit() {
    this.low = this.least;
    this.high = this.most;
  }

  // The point `at` stays where it is.
  zoom(factor, at) {
    const length = Math.min(Math.max(this.length * factor, this.smallest), this.most - this.least);
    const share = (at - this.low) / this.length;
    this.low = at - share * length;
    this.high = this.low + length;
    this.keepInside();
  }

  move(distance) {
    this.low += distance;
    this.high += distance;
    this.keepInside();
  }

  // Shows `from` to `to` with some room around it.
  frame(from, to, room) {
    const length = Math.max((to - from) * (1 + 2 * room), this.smallest);
    this.low = (from + to - length) / 2;
    this.high = this.low + length;
    this.keepInside();
  }

  keepInside() {
    const length = Math.min(this.length, this.most - this.least);
    this.low = Math.min(Math.max(this.low, this.least), this.most - length);
    this.high = this.low + length;
  }
}

// Powers of two where bytes are meant, else 1, 2, 5, 10, 20, ...: the smallest distance that gives
// at most `ticks` ticks.
function tickDistance(length, ticks, binary) {
  let distance = 1;
  for (let i = 0; length / distance > ticks && i < 200; ++i) {
    distance = binary ? distance * 2 : i % 3 === 1 ? distance / 2 * 5 : distance * 2;
  }
  return distance;
}

function ticksOf(low, high, distance) {
  const ticks = [];
  for (let at = Math.ceil(low / distance) * distance; at <= high; at += distance) ticks.push(at);
  return ticks;
}

// Calls `soon` at most once before the next frame.
function oncePerFrame(soon) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      soon();
    });
  };
}

// SPDX-License-Identifier: Apache-2.0
