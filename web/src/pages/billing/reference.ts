/** A reference that no other entry has: `topup-20261121-k3f9x2`. The same one sent twice is posted once. */
export function newReference(kind: string): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join('');
  return `${kind}-${day}-${random}`;
}
