/** The cache marks of one request: https://openrouter.ai/docs/features/prompt-caching */
import type { CacheMark } from '../../../chat/request.ts';

/** A piece of a body; fields that are `undefined` are not written. */
export type Written = Readonly<Record<string, unknown>>;

/** What the messages of one request have in common. */
export interface MessageStyle {
  /** Whether parts may have cache marks. */
  readonly cacheControl: boolean;
  readonly warnings: Set<string>;
}

/** `cache_control` for a part or a tool, or `undefined` without a mark or if the provider accepts none: it is only a hint. */
export function cacheControl(mark: CacheMark | null, style: MessageStyle): Written | undefined {
  if (mark === null || !style.cacheControl) return undefined;
  return mark === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: mark };
}
