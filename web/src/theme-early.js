// Runs before the first paint, so that no light page flashes at whoever chose a dark one. The same rule in
// TypeScript, for later changes: src/navigation/theme-choice.ts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('turnpike.theme');
  } catch {
    // A browser that keeps nothing follows the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
