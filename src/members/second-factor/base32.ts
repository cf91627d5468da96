/** Base32 for authenticator apps and recovery codes: https://www.rfc-editor.org/rfc/rfc4648#section-6 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Without padding; 5 bytes are 8 characters. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >>> bits) & 31];
    }
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31];
}
