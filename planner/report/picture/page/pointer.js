// Mouse, wheel and touch on the picture: hover, pin, pan, zoom.

const DRAG_PIXELS = 4;  // a press that moves less is a click

// `app` has picture, hover(found, event), pin(tensor), pinStep(step) and hint(text).
function listenToPointers(app) {
  const {picture} = app;
  const {canvas} = picture;
  const pointers = new Map();
  let drag = null;

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    const start = point(event);
    const found = picture.at(start.x, start.y);
    drag = {
      start,
      last: start,
      moved: false,
      panel: found ? found.panel : null,
      overview: Boolean(found && found.overview)
    };
    if (drag.overview) moveOverview(picture, start.x);
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = point(event);
    if (!pointers.has(event.pointerId)) {
      app.hover(picture.at(at.x, at.y), event);
      return;
    }
    const before = pinch(pointers);
    pointers.set(event.pointerId, at);
    const after = pinch(pointers);
    if (before && after) {
      picture.zoom(before.distance / Math.max(after.distance, 1), 'both', after.middle);
      drag.moved = true;
      return;
    }
    const far = Math.hypot(at.x - drag.start.x, at.y - drag.start.y) > DRAG_PIXELS;
    drag.moved = drag.moved || far;
    if (drag.overview) {
      moveOverview(picture, at.x);
    } else if (drag.moved) {
      app.hover(null, event);
      picture.move(at.x - drag.last.x, at.y - drag.last.y, drag.panel);
    }
    drag.last = at;
  });

  canvas.addEventListener('pointerup', (event) => {
    const at = point(event);
    const last = pointers.size === 1;
    pointers.delete(event.pointerId);
    if (!drag || !last) return;
    if (!drag.moved && !drag.overview) click(app, picture.at(at.x, at.y));
    drag = null;
  });
  canvas.addEventListener('pointercancel', (event) => {
    pointers.delete(event.pointerId);
    drag = null;
  });
  canvas.addEventListener('pointerleave', (event) => app.hover(null, event));

  canvas.addEventListener('dblclick', (event) => {
    const at = point(event);
    const found = picture.at(at.x, at.y);
    if (found && found.tensors && found.tensors.length > 0) {
      picture.frame(app.look.pinned || found.tensors[0]);
    }
  });

  // The page scrolls under the wheel until the picture is clicked.
  canvas.addEventListener('wheel', (event) => {
    const at = point(event);
    const forced = event.ctrlKey || event.metaKey;
    if (!forced && document.activeElement !== canvas) {
      app.hint('Click the picture or hold Ctrl to zoom with the wheel');
      return;
    }
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.deltaX !== 0 && Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey) {
      picture.move(-event.deltaX * unit, 0, null);
      return;
    }
    const axes = event.shiftKey ? 'time' : event.altKey ? 'bytes' : 'both';
    const delta = (event.deltaY || event.deltaX) * unit;
    picture.zoom(Math.exp(Math.max(-1, Math.min(1, delta * 0.002))), axes, at);
    app.hover(picture.at(at.x, at.y), event);
  }, {passive: false});
}

function pinch(pointers) {
  if (pointers.size !== 2) return null;
  const [a, b] = pointers.values();
  return {
    distance: Math.hypot(a.x - b.x, a.y - b.y),
    middle: {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2}
  };
}

// The frame of the overview follows the pointer.
function moveOverview(picture, x) {
  const {section, time} = picture;
  const share = (x - picture.left) / (picture.right - picture.left);
  const step = section.first + share * (section.end - section.first);
  time.move(step - (time.low + time.high) / 2);
  picture.repaint();
}

// Another click on the same spot takes the next tensor that lies there.
function click(app, found) {
  if (!found || found.overview) return;
  if (found.lane) {
    app.pinStep(found.step);
  } else if (found.tensors.length === 0) {
    app.pin(null);
  } else {
    const next = found.tensors.indexOf(app.look.pinned) + 1;
    app.pin(found.tensors[next % found.tensors.length]);
  }
}

// SPDX-License-Identifier: Apache-2.0
