/**
 * How much a caller wants the model to think, and whether it wants to see that.
 *
 * https://ai.google.dev/gemini-api/docs/thinking, https://ai.google.dev/api/generate-content#ThinkingConfig
 */
import type { Effort, JsonObject, Reasoning } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { isAbsent, readFlagOrNull, readObject, readText, readWholeOrNull } from '../../kit/request/request-values.ts';
import { fieldOf } from '../field-names.ts';
import { knownFields, warnOfUnknown } from './unknown-fields.ts';

/** Null when the caller did not say. Thoughts are shown only to callers that ask for them. */
export function readReasoning(settings: JsonObject, warnings: Set<string>): Reasoning | null {
  const value = fieldOf(settings, 'thinkingConfig', 'generationConfig');
  if (isAbsent(value)) return null;
  const config = readObject(value, PATH);
  warnOfUnknown(config, KNOWN, `${PATH}.`, warnings);
  const shows = readFlagOrNull(fieldOf(config, 'includeThoughts', PATH), `${PATH}.includeThoughts`) ?? false;
  const budget = readWholeOrNull(fieldOf(config, 'thinkingBudget', PATH), `${PATH}.thinkingBudget`);
  const level = readLevel(config, warnings);
  if (budget !== null && budget < DYNAMIC)
    throw invalid(`${PATH}.thinkingBudget`, `"${PATH}.thinkingBudget" must be -1, 0 or a number of tokens.`);
  if (budget === 0 && level !== null)
    warnings.add(`${PATH}.thinkingLevel was left out: ${PATH}.thinkingBudget is used instead`);
  if (budget === 0) return { effort: 'none', budget: null, adaptive: false, hidden: !shows };
  return {
    effort: level,
    budget: budget === DYNAMIC ? null : budget,
    // A model that thinks by default is asked for its thoughts.
    adaptive: budget === DYNAMIC || (budget === null && level === null && shows),
    hidden: !shows,
  };
}

const PATH = 'generationConfig.thinkingConfig';
/** The model decides. */
const DYNAMIC = -1;
const KNOWN = knownFields(['includeThoughts', 'thinkingBudget', 'thinkingLevel']);

const LEVELS: ReadonlyMap<string, Effort> = new Map([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
  ['XHIGH', 'xhigh'],
]);

/** An unknown level causes a warning, not an error: it affects how well the model answers, not what it is asked. */
function readLevel(config: JsonObject, warnings: Set<string>): Effort | null {
  const value = fieldOf(config, 'thinkingLevel', PATH);
  if (isAbsent(value)) return null;
  const word = readText(value, `${PATH}.thinkingLevel`).toUpperCase();
  const effort = LEVELS.get(word) ?? null;
  if (effort === null && word !== 'THINKING_LEVEL_UNSPECIFIED') warnings.add('an unknown thinkingLevel was left out');
  return effort;
}
