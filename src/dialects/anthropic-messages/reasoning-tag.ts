/**
 * Whose thought a signature belongs to, kept inside the signature. A caller of the Messages API gives
 * back every thinking block as it came, but the format has no field that says which vendor made it: after a
 * change of model nobody could tell whose opaque value it is. Anthropic's own signatures pass untouched.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import { ANTHROPIC_REASONING, type ReasoningOrigin } from '../../chat/request.ts';

/** `tp1.<origin>.<signature or nothing>`; the signature alone (or nothing) when it is Anthropic's. */
export function sealSignature(origin: ReasoningOrigin, signature: string | null): string {
  if (origin === ANTHROPIC_REASONING) return signature ?? '';
  return `${TAG}${origin.replace(/[%.]/g, escapeCharacter)}.${signature ?? ''}`;
}

/** The reverse. What carries no tag is Anthropic's; an empty signature is none. */
export function openSignature(value: string): { origin: ReasoningOrigin; signature: string | null } {
  const originEnd = value.startsWith(TAG) ? value.indexOf('.', TAG.length) : -1;
  if (originEnd === -1) return { origin: ANTHROPIC_REASONING, signature: value === '' ? null : value };
  const origin = value.slice(TAG.length, originEnd).replace(/%2E|%25/g, unescapeCharacter);
  const signature = value.slice(originEnd + 1);
  return { origin, signature: signature === '' ? null : signature };
}

export const TAG = 'tp1.';

/** An origin is a word from a provider: a dot in it must not be taken for its end. */
function escapeCharacter(character: string): string {
  return character === '.' ? '%2E' : '%25';
}

function unescapeCharacter(escaped: string): string {
  return escaped === '%2E' ? '.' : '%';
}
