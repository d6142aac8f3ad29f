// Light or dark ground: as the system prefers, until the reader chooses.

class Theme {
  // `changed` is called when the colors of the page are others.
  constructor(changed) {
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.chosen = stored('arenite-theme');
    this.changed = changed;
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get dark() {
    return this.chosen ? this.chosen === 'dark' : this.system.matches;
  }

  toggle() {
    this.chosen = this.dark ? 'light' : 'dark';
    store('arenite-theme', this.chosen);
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    this.changed();
  }
}

// Some browsers keep nothing for pages from files.
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return null;
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    // The choice lasts as long as the page.
  }
}

// SPDX-License-Identifier: Apache-2.0
