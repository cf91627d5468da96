/**
 * The usage rules of the Messages format: the three prompt counters are disjoint, output contains
 * thinking, values in `message_delta` are final totals and win over those of `message_start`.
 * A count that is no count makes the whole report unusable; nothing here throws.
 *
 * https://docs.anthropic.com/en/api/messages (usage), https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
import { readCount, type Usage } from '../../core/usage.ts';
import { isObject, type JsonObject } from './json-object.ts';

export class UsageReport {
  /** Whether something was reported that is no usage. */
  invalid = false;
  #input: number | null = null;
  #cacheRead: number | null = null;
  #cacheWrite: number | null = null;
  #cacheWrite5m: number | null = null;
  #cacheWrite1h: number | null = null;
  #output: number | null = null;
  #thinking: number | null = null;
  #webSearches: number | null = null;
  #apart: Apart = NOTHING_APART;

  /** Takes over what this `usage` object says; what it leaves out stands. */
  read(value: unknown): void {
    if (value === undefined || value === null) return;
    if (!isObject(value)) {
      this.invalid = true;
      return;
    }
    const cacheCreation = this.#object(value['cache_creation']);
    const cacheWrite = this.#count(value['cache_creation_input_tokens'], null);
    this.#input = this.#count(value['input_tokens'], this.#input);
    this.#cacheRead = this.#count(value['cache_read_input_tokens'], this.#cacheRead);
    this.#cacheWrite = cacheWrite ?? this.#cacheWrite;
    this.#cacheWrite5m = this.#count(cacheCreation?.['ephemeral_5m_input_tokens'], this.#cacheWrite5m);
    this.#cacheWrite1h = this.#count(cacheCreation?.['ephemeral_1h_input_tokens'], this.#cacheWrite1h);
    this.#output = this.#count(value['output_tokens'], this.#output);
    const details = this.#object(value['output_tokens_details']);
    this.#thinking = this.#count(details?.['thinking_tokens'], this.#thinking);
    const serverTools = this.#object(value['server_tool_use']);
    this.#webSearches = this.#count(serverTools?.['web_search_requests'], this.#webSearches);
    if (value['iterations'] !== undefined && value['iterations'] !== null) this.#readIterations(value['iterations']);
  }

  /** The report so far; null when there is none, or none to trust. */
  usage(): Usage | null {
    if (this.invalid || (this.#input === null && this.#output === null)) return null;
    const writes = splitCacheWrites(this.#cacheWrite, this.#cacheWrite5m, this.#cacheWrite1h);
    const outputTokens = (this.#output ?? 0) + this.#apart.output;
    return {
      inputTokens: (this.#input ?? 0) + this.#apart.input,
      cacheReadTokens: (this.#cacheRead ?? 0) + this.#apart.cacheRead,
      cacheWriteTokens: writes.fiveMinutes + this.#apart.fiveMinutes,
      cacheWrite1hTokens: writes.oneHour + this.#apart.oneHour,
      inputAudioTokens: 0,
      outputTokens,
      outputAudioTokens: 0,
      reasoningTokens: Math.min(this.#thinking ?? 0, outputTokens),
      webSearches: this.#webSearches ?? 0,
    };
  }

  /**
   * The top-level counters are the sum of the turns of the model that answered (`message`,
   * `fallback_message`). What compaction and an advisor used stands only here, so it is added.
   */
  #readIterations(value: unknown): void {
    if (!Array.isArray(value)) {
      this.invalid = true;
      return;
    }
    let apart = NOTHING_APART;
    for (const iteration of value) {
      if (!isObject(iteration) || !REPORTED_APART.has(iteration['type'])) continue;
      const cacheCreation = this.#object(iteration['cache_creation']);
      const writes = splitCacheWrites(
        this.#count(iteration['cache_creation_input_tokens'], null),
        this.#count(cacheCreation?.['ephemeral_5m_input_tokens'], null),
        this.#count(cacheCreation?.['ephemeral_1h_input_tokens'], null),
      );
      apart = {
        input: apart.input + (this.#count(iteration['input_tokens'], null) ?? 0),
        cacheRead: apart.cacheRead + (this.#count(iteration['cache_read_input_tokens'], null) ?? 0),
        fiveMinutes: apart.fiveMinutes + writes.fiveMinutes,
        oneHour: apart.oneHour + writes.oneHour,
        output: apart.output + (this.#count(iteration['output_tokens'], null) ?? 0),
      };
    }
    this.#apart = apart;
  }

  #count(value: unknown, before: number | null): number | null {
    if (value === undefined || value === null) return before;
    const count = readCount(value);
    if (count === null) this.invalid = true;
    return count ?? before;
  }

  #object(value: unknown): JsonObject | null {
    if (value === undefined || value === null) return null;
    if (isObject(value)) return value;
    this.invalid = true;
    return null;
  }
}

/** Tokens of iterations that the top-level counters leave out. */
interface Apart {
  readonly input: number;
  readonly cacheRead: number;
  readonly fiveMinutes: number;
  readonly oneHour: number;
  readonly output: number;
}

const NOTHING_APART: Apart = { input: 0, cacheRead: 0, fiveMinutes: 0, oneHour: 0, output: 0 };
const REPORTED_APART: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/**
 * `message_delta` repeats the total without its split, so the split of `message_start` is kept;
 * where all of that was written for one hour, a total that has grown is taken to be so too.
 */
function splitCacheWrites(
  total: number | null,
  fiveMinutes: number | null,
  oneHour: number | null,
): { readonly fiveMinutes: number; readonly oneHour: number } {
  const hour = oneHour ?? 0;
  if (total === null) return { fiveMinutes: fiveMinutes ?? 0, oneHour: hour };
  if (hour > 0 && (fiveMinutes ?? 0) === 0) return { fiveMinutes: 0, oneHour: total };
  const written = Math.min(hour, total);
  return { fiveMinutes: total - written, oneHour: written };
}
