/**
 * The usage rules of the Messages format: the three prompt counters are disjoint, output contains thinking, values in `message_delta` are
 * final totals and replace those of `message_start`. An invalid count makes its part of the report, prompt or output, unusable; nothing
 * here throws.
 *
 * https://docs.anthropic.com/en/api/messages (usage), https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */

import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { partsOf, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';

export class UsageReport {
  /** Whether an invalid count was reported. */
  invalid = false;
  #promptSpoilt = false;
  #outputSpoilt = false;
  /** Whether the output count is a total, not the placeholder of a stream's start. */
  #isFinal = false;
  #input: number | null = null;
  #cacheRead: number | null = null;
  #cacheWrite: number | null = null;
  #cacheWrite5m: number | null = null;
  #cacheWrite1h: number | null = null;
  #output: number | null = null;
  #thinking: number | null = null;
  #webSearches: number | null = null;
  #apart: Apart = NOTHING_APART;

  /** The `usage` of `message_start`. */
  readStart(value: unknown): void {
    this.#read(value);
  }

  /** The `usage` of a whole answer or of `message_delta`: counts that it omits are kept, except for the placeholder of the output. */
  readFinal(value: unknown): void {
    if (isObject(value) && readCount(value['output_tokens']) !== null) this.#isFinal = true;
    this.#read(value);
  }

  /** Which parts are known and valid. */
  get reported(): ReportedParts {
    return partsOf(this.#input !== null && !this.#promptSpoilt, this.#isFinal && !this.#outputSpoilt);
  }

  /** The output as reported; 0 if it was not. */
  get outputTokens(): number {
    return this.#isFinal && !this.#outputSpoilt ? (this.#output ?? 0) + this.#apart.output : 0;
  }

  #read(value: unknown): void {
    if (value === undefined || value === null) return;
    if (!isObject(value)) {
      this.#spoil('both');
      return;
    }
    const cacheCreation = this.#object(value['cache_creation'], 'prompt');
    const cacheWrite = this.#count(value['cache_creation_input_tokens'], null, 'prompt');
    this.#input = this.#count(value['input_tokens'], this.#input, 'prompt');
    this.#cacheRead = this.#count(value['cache_read_input_tokens'], this.#cacheRead, 'prompt');
    this.#cacheWrite = cacheWrite ?? this.#cacheWrite;
    this.#cacheWrite5m = this.#count(cacheCreation?.['ephemeral_5m_input_tokens'], this.#cacheWrite5m, 'prompt');
    this.#cacheWrite1h = this.#count(cacheCreation?.['ephemeral_1h_input_tokens'], this.#cacheWrite1h, 'prompt');
    this.#output = this.#count(value['output_tokens'], this.#output, 'output');
    const details = this.#object(value['output_tokens_details'], 'neither');
    this.#thinking = this.#count(details?.['thinking_tokens'], this.#thinking, 'neither');
    const serverTools = this.#object(value['server_tool_use'], 'neither');
    this.#webSearches = this.#count(serverTools?.['web_search_requests'], this.#webSearches, 'neither');
    if (value['iterations'] !== undefined && value['iterations'] !== null) this.#readIterations(value['iterations']);
  }

  /** The report so far, in which unreported parts are as far as known; null without any report. */
  usage(): Usage | null {
    if (this.#input === null && this.#output === null) return null;
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
      cachedAudioTokens: 0,
      inputImageTokens: 0,
      outputImageTokens: 0,
      reasoningTokens: Math.min(this.#thinking ?? 0, outputTokens),
      webSearches: this.#webSearches ?? 0,
      fileSearches: 0,
      codeContainers: 0,
      units: 0,
      unitLine: 0,
    };
  }

  /**
   * The top-level counters are the sum of the turns of the model that answered (`message`, `fallback_message`). Usage by compaction and an
   * advisor is only here, so it is added.
   */
  #readIterations(value: unknown): void {
    if (!Array.isArray(value)) {
      this.#spoil('both');
      return;
    }
    let apart = NOTHING_APART;
    for (const iteration of value) {
      if (!isObject(iteration) || !REPORTED_APART.has(iteration['type'])) continue;
      const cacheCreation = this.#object(iteration['cache_creation'], 'prompt');
      const prompt = (count: unknown) => this.#count(count, null, 'prompt');
      const writes = splitCacheWrites(
        prompt(iteration['cache_creation_input_tokens']),
        prompt(cacheCreation?.['ephemeral_5m_input_tokens']),
        prompt(cacheCreation?.['ephemeral_1h_input_tokens']),
      );
      apart = {
        input: apart.input + (prompt(iteration['input_tokens']) ?? 0),
        cacheRead: apart.cacheRead + (prompt(iteration['cache_read_input_tokens']) ?? 0),
        fiveMinutes: apart.fiveMinutes + writes.fiveMinutes,
        oneHour: apart.oneHour + writes.oneHour,
        output: apart.output + (this.#count(iteration['output_tokens'], null, 'output') ?? 0),
      };
    }
    if (Object.values(apart).some((tokens) => readCount(tokens) === null)) {
      this.#spoil('both');
      apart = NOTHING_APART;
    }
    this.#apart = apart;
  }

  #count(value: unknown, before: number | null, part: Part): number | null {
    if (value === undefined || value === null) return before;
    const count = readCount(value);
    if (count === null) this.#spoil(part);
    return count ?? before;
  }

  #object(value: unknown, part: Part): JsonObject | null {
    if (value === undefined || value === null) return null;
    if (isObject(value)) return value;
    this.#spoil(part);
    return null;
  }

  #spoil(part: Part): void {
    this.invalid = true;
    if (part === 'prompt' || part === 'both') this.#promptSpoilt = true;
    if (part === 'output' || part === 'both') this.#outputSpoilt = true;
  }
}

/** The part of the report that an invalid count makes unusable. */
type Part = 'prompt' | 'output' | 'both' | 'neither';

/** Tokens of iterations that the top-level counters do not include. */
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
 * `message_delta` repeats the total without its split, so the split of `message_start` is kept; if all of that was written for one hour,
 * additional tokens are assumed to be, too.
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
