// Settings that a browser keeps. In a frame of another origin there may be no storage; then they
// last as long as the page.
export const storage = {
  get: (name) => { try { return localStorage.getItem(`karat-${name}`); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(`karat-${name}`, value); } catch { /* no storage */ } },
};
