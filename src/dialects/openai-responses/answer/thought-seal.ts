/**
 * Keeps a thought of another vendor whole inside `encrypted_content`. A caller sends a reasoning item back unchanged, but the format has no
 * field for the vendor, nor for a signature: after a change of model it would be unknown whose opaque value it is. OpenAI's own values pass
 * unchanged.
 *
 * https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
 */
import { OPENAI_REASONING, type ReasoningBlock, type ReasoningOrigin } from '../../../chat/request.ts';

/** What of a thought has no field of its own. */
export type Opaque = Pick<ReasoningBlock, 'signature' | 'encrypted' | 'origin' | 'id' | 'summary'>;

/**
 * The value of `encrypted_content`. A thought with nothing opaque has one too: sent to OpenAI without a value, it would be taken for the name
 * of something that OpenAI keeps.
 */
export function sealThought({ signature, encrypted, origin, id, summary }: Opaque): string {
  if (origin === OPENAI_REASONING && encrypted !== null) return encrypted;
  const kind: Kind = encrypted !== null ? 'encrypted' : signature !== null ? 'signature' : 'text';
  const parts = [kind, origin, id ?? '', summary === true ? SUMMARY : ''].map(escaped);
  return `${TAG}${parts.join('.')}.${encrypted ?? signature ?? ''}`;
}

export interface SealedThought {
  /** The thought as its vendor gave it; `text` is what the item shows of it. */
  restore(text: string): readonly ReasoningBlock[];
}

/** The reverse; null if the value was not made here. */
export function openThought(value: string): SealedThought | null {
  if (!value.startsWith(TAG)) return null;
  const [kind = '', origin = '', id = '', summary = '', ...rest] = value.slice(TAG.length).split('.');
  if (origin === '' || !(KINDS as readonly string[]).includes(kind)) return null;
  const opaque = rest.join('.');
  const whose = {
    origin: unescaped(origin),
    ...(id !== '' && { id: unescaped(id) }),
    ...(summary === SUMMARY && { summary: true as const }),
  };
  return {
    restore(text) {
      const signature = kind === 'signature' ? opaque : null;
      const blocks: ReasoningBlock[] = [];
      if (signature !== null || text !== '')
        blocks.push({ type: 'reasoning', text, signature, encrypted: null, ...whose });
      if (kind === 'encrypted')
        blocks.push({ type: 'reasoning', text: '', signature: null, encrypted: opaque, ...whose });
      return blocks;
    },
  };
}

type Kind = (typeof KINDS)[number];
const KINDS = ['signature', 'encrypted', 'text'] as const;
export const TAG = 'tp1.';

/** What a relay writes before the encrypted thoughts of this vendor; empty for OpenAI. */
export function tagOf(origin: ReasoningOrigin): string {
  return origin === OPENAI_REASONING ? '' : `${TAG}${['encrypted', origin, '', ''].map(escaped).join('.')}.`;
}
const SUMMARY = 'summary';

/** Both come from a provider: a dot in them must not be taken for their end. */
function escaped(word: string): string {
  return word.replace(/[%.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unescaped(word: string): string {
  return word.replace(/%(2E|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
