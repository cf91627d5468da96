/**
 * Entries of `reasoning_details` as OpenRouter's callers read them. A caller sends the list back unchanged, so that a signature or an
 * encrypted thought reaches the vendor that made it: https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
import type { ReasoningName, ReasoningOrigin } from '../../../chat/request.ts';

/**
 * `index` counts the reasoning blocks of the answer. In a stream, text and signature come in separate entries, and only the first of an
 * index names the vendor.
 */
export function textDetail(
  part: { readonly text?: string; readonly signature?: string },
  whose: Partial<Whose>,
  index: number,
): object {
  const { text, signature } = part;
  if (whose.summary === true && text !== undefined && signature === undefined)
    return { type: 'reasoning.summary', summary: text, ...tail(whose, index) };
  return { type: 'reasoning.text', ...part, ...tail(whose, index) };
}

export function encryptedDetail(data: string, whose: Partial<Whose>, index: number): object {
  return { type: 'reasoning.encrypted', data, ...tail(whose, index) };
}

/** The vendor of a thought, with its id there. */
export interface Whose extends ReasoningName {
  readonly origin: ReasoningOrigin;
}

function tail({ origin, id }: Partial<Whose>, index: number): object {
  if (origin === undefined) return id === undefined ? { index } : { id, index };
  return { id: id ?? null, format: origin, index };
}
