/**
 * Authenticator codes: RFC 6238 with the parameters that every app supports: SHA-1, six digits, 30 seconds.
 * https://www.rfc-editor.org/rfc/rfc6238
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { base32 } from './base32.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** A phone's clock may be off by one step, and typing a code takes time. */
const STEPS_AROUND = 1;
/** A long email address, which the app only displays, is truncated to keep the QR code readable. */
const LABEL_LENGTH_MAX = 96;

/** The code of a step, six digits. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The current or a neighbouring step with this code, or null. */
export function matchingStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  if (!isSixDigits(code)) return null;
  const now = totpStep(nowMs);
  let found: number | null = null;
  for (let step = now - STEPS_AROUND; step <= now + STEPS_AROUND; step += 1) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}

export function isSixDigits(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** The URI for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: Uint8Array, email: string): string {
  const parameters = `secret=${base32(secret)}&issuer=Turnpike&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
  return `otpauth://totp/Turnpike:${label(email)}?${parameters}`;
}

function label(email: string): string {
  const characters = [...email];
  for (let length = characters.length; ; length -= 1) {
    const text = encodeURIComponent(characters.slice(0, length).join('')).replaceAll('%40', '@');
    if (text.length <= LABEL_LENGTH_MAX) return text;
  }
}
