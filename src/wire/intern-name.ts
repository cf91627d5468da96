/**
 * Reads short ASCII names from bytes without making a new string each time. The names on the wire (fields, event types) are few and occur
 * in every call, so a small cache with one name per slot has nearly all of them; a name that meets a taken slot replaces it. The cache is
 * bounded, and made-up names only slow down the look-ups of their sender.
 */
const NAME_BYTES_MAX = 40;
const SLOTS = 1024;
const slots: string[] = new Array<string>(SLOTS).fill('');

/**
 * The printable ASCII name at `bytes[start, end)`, or null when it is too long to be cached or has any other byte in it (control bytes, a
 * backslash, UTF-8 beyond ASCII): the caller then decodes it.
 */
export function internName(bytes: Buffer, start: number, end: number): string | null {
  if (end - start > NAME_BYTES_MAX) return null;
  let hash = end - start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte >= 0x7f || byte === 0x5c) return null;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = (hash ^ (hash >>> 11)) & (SLOTS - 1);
  const kept = slots[slot] as string;
  if (spells(kept, bytes, start, end)) return kept;
  const name = bytes.toString('latin1', start, end);
  slots[slot] = name;
  return name;
}

function spells(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index++) {
    if (name.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
