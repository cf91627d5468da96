/** What an authenticator app does with the secret that it was shown. */
import { totpCode, totpStep } from '../../src/members/second-factor/totp.ts';

/** Six digits. */
export function codeAt(secret: string, nowMs: number): string {
  return totpCode(fromBase32(secret), totpStep(nowMs));
}

export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
