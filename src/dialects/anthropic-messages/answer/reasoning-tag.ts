/**
 * Keeps the name of the vendor that made a thought inside its signature. A caller of the Messages API sends back every thinking block
 * unchanged, but the format has no field for the vendor: after a change of model it would be unknown whose opaque value it is. Anthropic's
 * own signatures pass unchanged.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import { ANTHROPIC_REASONING, type ReasoningName, type ReasoningOrigin } from '../../../chat/request.ts';

/**
 * `tp1.<origin>.<signature or nothing>`, with `/<id>` after the origin if the vendor has an id for the thought, and `/summary` after that
 * if it is a summary; only the signature (or nothing) if it is Anthropic's, which needs neither.
 */
export function sealSignature(origin: ReasoningOrigin, signature: string | null, name: ReasoningName = {}): string {
  if (origin === ANTHROPIC_REASONING) return signature ?? '';
  const { id = '', summary } = name;
  const parts = summary === true ? [origin, id, SUMMARY] : id === '' ? [origin] : [origin, id];
  return `${TAG}${parts.map(escaped).join('/')}.${signature ?? ''}`;
}

const SUMMARY = 'summary';

export interface OpenedSignature extends ReasoningName {
  readonly origin: ReasoningOrigin;
  readonly signature: string | null;
}

/** The reverse. A signature without a tag is Anthropic's; an empty one counts as none. */
export function openSignature(value: string): OpenedSignature {
  const originEnd = value.startsWith(TAG) ? value.indexOf('.', TAG.length) : -1;
  if (originEnd === -1) return { origin: ANTHROPIC_REASONING, signature: value === '' ? null : value };
  const [origin = '', id = '', kind = ''] = value.slice(TAG.length, originEnd).split('/').map(unescaped);
  const signature = value.slice(originEnd + 1) || null;
  return { origin, signature, ...(id !== '' && { id }), ...(kind === SUMMARY && { summary: true }) };
}

export const TAG = 'tp1.';

/** Both come from a provider: a dot or a slash in them must not be taken for their end. */
function escaped(word: string): string {
  return word.replace(/[%./]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unescaped(word: string): string {
  return word.replace(/%(2E|2F|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
