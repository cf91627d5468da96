/** `0 B`, `812 B`, `1.2 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const unit = bytes < 1_000_000 ? 'kB' : 'MB';
  const size = bytes / (unit === 'kB' ? 1000 : 1_000_000);
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}
