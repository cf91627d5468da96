/**
 * The usage rules of Converse: the counters of the prompt are disjoint, output contains thinking, and one report comes at the end. An
 * invalid count makes its part of the report, prompt or output, unusable; nothing here throws.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { partsOf, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';

export interface UsageReading {
  readonly usage: Usage;
  readonly reported: ReportedParts;
  /** Whether a reported value is not a count. */
  readonly isInvalid: boolean;
}

/** Null if nothing was reported. */
export function readUsage(value: unknown): UsageReading | null {
  if (value === undefined || value === null) return null;
  const report = isObject(value) ? value : {};
  const input = countOf(report, 'inputTokens');
  const output = countOf(report, 'outputTokens');
  const cacheRead = countOf(report, 'cacheReadInputTokens');
  const cacheWrite = countOf(report, 'cacheWriteInputTokens');
  const hour = hourOf(report['cacheDetails']);
  const isPromptValid = [input, cacheRead, cacheWrite, hour].every((count) => count !== INVALID);
  const written = known(cacheWrite);
  const writtenForAnHour = cacheWrite === null ? known(hour) : Math.min(known(hour), written);
  return {
    usage: {
      inputTokens: known(input),
      cacheReadTokens: known(cacheRead),
      cacheWriteTokens: written === 0 ? 0 : written - writtenForAnHour,
      cacheWrite1hTokens: writtenForAnHour,
      inputAudioTokens: 0,
      outputTokens: known(output),
      outputAudioTokens: 0,
      cachedAudioTokens: 0,
      inputImageTokens: 0,
      outputImageTokens: 0,
      reasoningTokens: 0,
      webSearches: 0,
      fileSearches: 0,
      codeContainers: 0,
      units: 0,
      unitLine: 0,
    },
    reported: partsOf(input !== null && isPromptValid, output !== null && output !== INVALID),
    isInvalid: !isPromptValid || output === INVALID || !isObject(value),
  };
}

/** Null if it is absent. */
type Count = number | typeof INVALID | null;
const INVALID = 'invalid';

function countOf(holder: JsonObject, name: string): Count {
  const value = holder[name];
  return value === undefined || value === null ? null : (readCount(value) ?? INVALID);
}

function known(count: Count): number {
  return typeof count === 'number' ? count : 0;
}

/** The tokens written for an hour, in the list of writes by their time. */
function hourOf(details: unknown): Count {
  if (details === undefined || details === null) return null;
  if (!Array.isArray(details)) return INVALID;
  let sum = 0;
  for (const detail of details) {
    const count = isObject(detail) ? countOf(detail, 'inputTokens') : INVALID;
    if (count === INVALID) return INVALID;
    if (isObject(detail) && detail['ttl'] === '1h') sum += known(count);
  }
  return readCount(sum) ?? INVALID;
}
