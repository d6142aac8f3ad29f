// What changed since an earlier plan: memories, tensors by name, steps by name.

// The section of an earlier plan for the same method, board and device; null where there is none.
function sectionBefore(plan, raw) {
  if (!plan.before) return null;
  const same = plan.before.sections.find(
      (one) => one.method === raw.method && one.board === raw.board && one.device === raw.device);
  return same ? readSection(same, plan.before.program_memories) : null;
}

// Rows of {what, name, before, after, difference (in bytes, or null), tensor, step}.
function changesBetween(before, after) {
  return [
    ...memoryChanges(before, after), ...tensorChanges(before, after), ...stepChanges(before, after)
  ];
}

function byName(list) {
  return new Map(list.map((one) => [one.name, one]));
}

function memoryChanges(before, after) {
  const old = byName(before.memories);
  const now = byName(after.memories);
  const rows = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const was = old.has(name) ? old.get(name).peak : 0;
    const is = now.has(name) ? now.get(name).peak : 0;
    if (was === is) continue;
    rows.push({
      what: name === 'weights' ? 'weights' : 'memory',
      name,
      before: exactBytes(was),
      after: exactBytes(is),
      difference: is - was
    });
  }
  return rows;
}

function placeText(section, tensor) {
  return shortBytes(tensor.bytes) + ' at ' + digits(tensor.exact.offset) + ' of ' +
      section.memories[tensor.memory].name + ', ' + lifeText(tensor);
}

function tensorChanges(before, after) {
  const old = byName(before.tensors);
  const now = byName(after.tensors);
  const rows = [];
  for (const tensor of after.tensors) {
    const was = old.get(tensor.name);
    const place = placeText(after, tensor);
    if (!was) {
      rows.push({
        what: 'new tensor',
        name: tensor.name,
        before: '',
        after: place,
        difference: tensor.bytes,
        tensor
      });
    } else if (placeText(before, was) !== place) {
      rows.push({
        what: was.bytes === tensor.bytes ? 'moved tensor' : 'resized tensor',
        name: tensor.name,
        before: placeText(before, was),
        after: place,
        difference: tensor.bytes - was.bytes,
        tensor
      });
    }
  }
  for (const tensor of before.tensors) {
    if (now.has(tensor.name)) continue;
    rows.push({
      what: 'tensor that is gone',
      name: tensor.name,
      before: placeText(before, tensor),
      after: '',
      difference: -tensor.bytes
    });
  }
  return rows;
}

function stepWords(step) {
  return step.op + ' on ' + step.where + (step.form ? ', ' + step.form : '');
}

function stepChanges(before, after) {
  const old = byName(before.steps);
  const now = byName(after.steps);
  const rows = [];
  for (const step of after.steps) {
    const was = old.get(step.name);
    if (was && stepWords(was) === stepWords(step)) continue;
    rows.push({
      what: was ? 'changed step' : 'new step',
      name: step.name,
      before: was ? stepWords(was) : '',
      after: stepWords(step),
      difference: null,
      step: step.index
    });
  }
  for (const step of before.steps) {
    if (now.has(step.name)) continue;
    rows.push({
      what: 'step that is gone',
      name: step.name,
      before: stepWords(step),
      after: '',
      difference: null
    });
  }
  return rows;
}

function signedBytes(number) {
  if (number === null) return '';
  return (number > 0 ? '+' : number < 0 ? '−' : '±') + digits(Math.abs(number));
}

function changeTable(app, filtered) {
  const columns = [
    {head: 'What', text: (r) => r.what},
    {head: 'Name', text: (r) => r.name, cell: (r) => nameElement(r.name)},
    {head: 'Before', text: (r) => r.before},
    {head: 'Now', text: (r) => r.after},
    {
      head: 'Bytes',
      number: true,
      sort: (r) => Math.abs(r.difference || 0),
      text: (r) => signedBytes(r.difference)
    },
  ];
  return new Table(columns, app.changes, {
    label: 'Changes',
    filtered,
    chosen: (row) => (row.tensor && row.tensor === app.look.pinned) ||
        (row.step !== undefined && row.step === app.look.pinnedStep),
    onchoose: (row) => {
      if (row.tensor) {
        app.pin(row.tensor, 'changes');
      } else if (row.step !== undefined) {
        app.pinStep(row.step);
      }
    },
  });
}

// SPDX-License-Identifier: Apache-2.0
