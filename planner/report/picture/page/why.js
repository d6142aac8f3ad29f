// Says why a tensor lies where it lies: what fixes it, whom it shares bytes with, what is below it.

const ALGORITHM_RULES = {
  naive: 'naive never uses a byte twice: each tensor lies above all that came before it.',
  greedy_first_fit:
      'greedy_first_fit took the largest tensors first and gave this one the lowest ' +
      'free offset of the first memory that has one.',
  greedy_by_size: 'greedy_by_size took the largest tensors first and gave this one the smallest ' +
      'gap that holds it.',
  portfolio: 'portfolio tried 21 orders and placements; the place is that of the best.',
  search:
      'search looked for the order of tensors that packs lowest; the place is that of the best ' +
      'it found.',
};

// Sentences as lists of texts, tensors and {step}s (which a reader can follow), most telling first.
function reasonsFor(section, tensor) {
  if (tensor.bytes === 0) {
    return [tensor.role === null ? ['It has no bytes: any place will do.'] : [
      'It is left to the caller and takes no byte here.'
    ]];
  }
  const reasons = [];
  if (tensor.fixed) reasons.push(['Fixed here: the input or the constraints say so.']);
  if (tensor.tiedTo !== null) {
    const other = section.tensors[tensor.tiedTo];
    const distance = tensor.exact.offset - other.exact.offset;
    reasons.push(['Tied to ', other, ': it keeps its distance of ' + digits(distance) + ' bytes.']);
  }
  if (tensor.tiedElsewhere) {
    reasons.push(
        ['Tied to a tensor of another method, whose address it shares or keeps its ' +
         'distance to.']);
  }
  for (const common of tensor.common) reasons.push(commonReason(section, tensor, common));
  if (!tensor.fixed && !tensor.tiedElsewhere) {
    reasons.push(...memoryReasons(section, tensor));
    reasons.push(belowReason(section, tensor));
    const rule = ALGORITHM_RULES[section.algorithm];
    if (rule) reasons.push([rule]);
  }
  return reasons;
}

function commonReason(section, tensor, common) {
  const bytes = exactBytes(common.bytes);
  const {owner, guest} = common;
  if (common.why === 'part') {
    return tensor === guest ? ['A part of ', owner, ': ' + bytes + ' are the same data.'] :
                              [bytes + ' are shared with its part ', guest, '.'];
  }
  const step = {step: common.first};
  const inPlace = isInPlace(section, common);
  if (tensor === guest) {
    return inPlace ?
        [
          'Overwrites ', owner, ' in place at ', step,
          ', its last reader: ' + bytes + ' are shared.'
        ] :
        [
          'Follows the reads of ', owner, ' at ', step,
          ': the kernel reads ahead of what it writes, ' +
              'so ' + bytes + ' are shared.'
        ];
  }
  return [
    inPlace ? 'Gives its bytes in place to ' : 'Yields bytes already read to ', guest, ' at ', step,
    ': ' + bytes + ' are shared.'
  ];
}

// Element by element, in the very place; an output that follows the reads keeps its step to one
// thread.
function isInPlace(section, common) {
  const known = section.steps[common.first];
  const {owner, guest} = common;
  return owner.offset === guest.offset && (known ? !known.serial : owner.bytes === guest.bytes);
}

// Why none of the memories before its own.
function memoryReasons(section, tensor) {
  const reasons = [];
  for (const memory of section.memories.slice(0, tensor.memory)) {
    if (memory.size === null || memory.size === 0) continue;
    const most = mostLive(memory, tensor.first, tensor.last);
    const free = Math.max(0, memory.size - most.bytes);
    if (free < tensor.bytes) {
      reasons.push([
        'No room in ' + memory.name + ': at ', {step: most.step},
        ' only ' + shortBytes(free) + ' of it hold no data.'
      ]);
    } else {
      reasons.push(
          ['Not in ' + memory.name + ': it is barred there, or what is free lies ' +
           'scattered or is kept for what moves more bytes.']);
    }
  }
  return reasons;
}

// The highest tensor under it among those that live with it.
function below(section, tensor) {
  let best = null;
  for (const other of section.memories[tensor.memory].tensors) {
    if (other === tensor || other.bytes === 0 || other.end > tensor.offset) continue;
    if (other.last < tensor.first || other.first > tensor.last) continue;
    if (!liveTogether(other, tensor)) continue;
    if (best === null || other.end > best.end) best = other;
  }
  return best;
}

function belowReason(section, tensor) {
  const other = below(section, tensor);
  const gap = tensor.offset - (other === null ? 0 : other.end);
  const memory = section.memories[tensor.memory].name;
  if (other === null) {
    return gap === 0 ?
        ['At the bottom of ' + memory + '.'] :
        ['Nothing that lives with it lies below; ' + exactBytes(gap) + ' under it are free then.'];
  }
  return gap === 0 ?
      ['Rests on ', other, ', which lives with it.'] :
      ['The next below that lives with it is ', other, ', ' + exactBytes(gap) + ' further down.'];
}

// SPDX-License-Identifier: Apache-2.0
