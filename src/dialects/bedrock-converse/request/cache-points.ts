/**
 * The cache points of one request, of which models accept four: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
import type { CacheMark } from '../../../chat/request.ts';
import type { Quirks } from '../quirks.ts';

/** A block, a tool or a message as it will be sent. */
export type WireBlock = Readonly<Record<string, unknown>>;

export class CachePoints {
  readonly #quirks: Quirks;
  readonly #warnings: Set<string>;
  readonly #points: { readonly list: WireBlock[]; readonly point: WireBlock }[] = [];

  constructor(quirks: Quirks, warnings: Set<string>) {
    this.#quirks = quirks;
    this.#warnings = warnings;
  }

  /** Adds a point at the end of `list` if `cache` asks for one. Lists come in the order of the prompt. */
  add(list: WireBlock[], cache: CacheMark | null, isTool = false): void {
    if (cache === null) return;
    const { cachePoints, cacheHour } = this.#quirks;
    if (cachePoints === 'none' || (isTool && cachePoints === 'prompt')) {
      this.#warnings.add('cache marks were left out, because this model is not known to accept them there');
      return;
    }
    const isHour = cache === '1h' && cacheHour;
    if (cache === '1h' && !isHour) this.#warnings.add('a cache mark for an hour was sent as one for five minutes');
    // Without `ttl` it lasts for five minutes.
    const point = { cachePoint: { type: 'default', ...(isHour && { ttl: '1h' }) } };
    list.push(point);
    this.#points.push({ list, point });
  }

  /** Removes the first points beyond the limit: later ones cover longer prefixes. */
  limit(): void {
    const surplus = this.#points.slice(0, Math.max(0, this.#points.length - POINTS_MAX));
    if (surplus.length === 0) return;
    this.#warnings.add(`only the last ${POINTS_MAX} cache marks were sent`);
    const points = new Set(surplus.map(({ point }) => point));
    for (const list of new Set(surplus.map(({ list: holder }) => holder))) {
      const kept = list.filter((block) => !points.has(block));
      list.length = 0;
      for (const block of kept) list.push(block);
    }
  }
}

const POINTS_MAX = 4;
