// Keys: those of the picture while it has the focus, and those of the whole page.

const KEYS = [
  ['/', 'search for a tensor'],
  ['Enter, Shift+Enter', 'in the search: next, previous match'],
  ['n, p', 'next, previous tensor in order of birth'],
  ['+ - 0', 'zoom in, out, show all'],
  ['z', 'zoom to the pinned tensor'],
  ['← → ↑ ↓', 'move'],
  ['g', 'go to the network; there arrows go from step to step'],
  ['Esc', 'unpin, clear the search'],
  ['d', 'dark or light'],
  ['?', 'this list'],
];

function listenToKeys(app) {
  const {picture} = app;
  const inText = (target) => target.matches('input, select, textarea');
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = inText(event.target);
    if (event.key === 'Escape') {
      app.escape();
      return;
    }
    if (typing) return;
    const act = pageKey(app, event.key) ||
        (event.target === app.graph.canvas ? graphKey(app, event.key) : null) ||
        (event.target === picture.canvas || event.target === document.body ?
             pictureKey(app, event.key) :
             null);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function pageKey(app, key) {
  switch (key) {
    case '/':
      return () => app.searchBox.focus();
    case '?':
      return () => app.help();
    case 'd':
      return () => app.theme.toggle();
    case 'n':
      return () => app.pinNext(1);
    case 'p':
      return () => app.pinNext(-1);
    case 'g':
      return () => app.graph.canvas.focus();
    default:
      return null;
  }
}

function graphKey(app, key) {
  const {graph} = app;
  if (!graph.drawing) return null;
  switch (key) {
    case '+':
    case '=':
      return () => graph.zoom(1 / 0.7, null);
    case '-':
      return () => graph.zoom(0.7, null);
    case '0':
      return () => graph.fit();
    case 'ArrowUp':
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'ArrowRight':
      return () => app.pinStep(graph.stepTowards(key));
    default:
      return null;
  }
}

function pictureKey(app, key) {
  const {picture} = app;
  const far = 60;
  const focused = document.activeElement === picture.canvas;
  switch (key) {
    case '+':
    case '=':
      return () => picture.zoom(0.7, 'both', null);
    case '-':
      return () => picture.zoom(1 / 0.7, 'both', null);
    case '0':
      return () => picture.fit();
    case 'z':
      return app.look.pinned ? () => picture.frame(app.look.pinned) : null;
    case 'ArrowLeft':
      return focused ? () => picture.move(far, 0, null) : null;
    case 'ArrowRight':
      return focused ? () => picture.move(-far, 0, null) : null;
    case 'ArrowUp':
      return focused ? () => picture.move(0, far, null) : null;
    case 'ArrowDown':
      return focused ? () => picture.move(0, -far, null) : null;
    default:
      return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
