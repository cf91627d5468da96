/**
 * Remembers prompts, so that the demo provider can report cached tokens by simple rules:
 *
 * - Marked (Anthropic): each `cache_control` ends a prefix. The longest known prefix is read from the cache, and the part
 * between it and the last mark is written. There is no minimum size.
 * - Automatic (OpenAI): the longest known prefix counts as cached, from 1,024 tokens in steps of 128:
 * https://platform.openai.com/docs/guides/prompt-caching
 *
 * A prefix expires 5 minutes after its last use, or an hour if the mark says so.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { PromptUsage } from './ask.ts';
import { countTokens, tokenEnd } from './words.ts';

export interface PromptSegment {
  /** The speaker's role: compared for equality, but not counted. */
  readonly role: string;
  readonly text: string;
  /** Tokens that are not text: images and documents. */
  readonly mediaTokens: number;
  readonly mark: '5m' | '1h' | null;
}

const AUTOMATIC_TOKENS_MIN = 1024;
const AUTOMATIC_STEP_TOKENS = 128;
const PREFIXES_MAX = 10_000;
const LIFE_MS = { '5m': 300_000, '1h': 3_600_000 } as const;

export class PromptCache {
  readonly #clock: Clock;
  readonly #expiry = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readMarked(segments: readonly PromptSegment[]): PromptUsage {
    const hash = createHash('sha1');
    let tokens = 0;
    let cacheRead = 0;
    const marks: { key: string; tokens: number; life: '5m' | '1h' }[] = [];
    for (const segment of segments) {
      tokens += countTokens(segment.text) + segment.mediaTokens;
      hash.update(`${segment.role}\0${segment.text}\0`);
      if (segment.mark === null) continue;
      const key = `marked:${hash.copy().digest('base64')}`;
      marks.push({ key, tokens, life: segment.mark });
      if (this.#knows(key)) cacheRead = tokens;
    }
    let cacheWrite5m = 0;
    let cacheWrite1h = 0;
    let covered = cacheRead;
    for (const mark of marks) {
      const written = Math.max(0, mark.tokens - covered);
      covered += written;
      if (mark.life === '1h') cacheWrite1h += written;
      else cacheWrite5m += written;
      this.#remember(mark.key, mark.life);
    }
    return { input: tokens - covered, cacheRead, cacheWrite5m, cacheWrite1h };
  }

  readAutomatic(segments: readonly PromptSegment[]): PromptUsage {
    const hash = createHash('sha1');
    let tokens = 0;
    let cacheRead = 0;
    for (const segment of segments) {
      tokens += segment.mediaTokens;
      hash.update(`\0${segment.role}\0`);
      const { text } = segment;
      let hashed = 0;
      for (let at = 0; at < text.length; ) {
        at = tokenEnd(text, at);
        tokens += 1;
        if (tokens < AUTOMATIC_TOKENS_MIN || tokens % AUTOMATIC_STEP_TOKENS !== 0) continue;
        hash.update(text.slice(hashed, at));
        hashed = at;
        const key = `automatic:${hash.copy().digest('base64')}`;
        if (this.#knows(key)) cacheRead = tokens;
        this.#remember(key, '5m');
      }
      hash.update(text.slice(hashed));
    }
    return { input: tokens - cacheRead, cacheRead, cacheWrite5m: 0, cacheWrite1h: 0 };
  }

  #knows(key: string): boolean {
    return (this.#expiry.get(key) ?? 0) > this.#clock.monotonic();
  }

  /** Evicts the oldest prefix: a map keeps the order in which keys were set. */
  #remember(key: string, life: '5m' | '1h'): void {
    this.#expiry.delete(key);
    this.#expiry.set(key, this.#clock.monotonic() + LIFE_MS[life]);
    if (this.#expiry.size <= PREFIXES_MAX) return;
    const oldest = this.#expiry.keys().next();
    if (!oldest.done) this.#expiry.delete(oldest.value);
  }
}
