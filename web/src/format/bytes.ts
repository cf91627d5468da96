const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** `0 B`, `812 B`, `1.2 kB`, `3.4 MB`, `17 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let size = bytes / 1000;
  let unit = 0;
  for (; size >= 999.5 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}
