import { createHash } from 'node:crypto';

const CHARACTERS = 16;

/** Tells a credential from its successors, also after a restart. Short: it is compared with the few of one entry only. */
export function credentialMark(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, CHARACTERS);
}
