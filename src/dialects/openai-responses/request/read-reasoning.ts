/** Reads how much the caller wants the model to think, and whether to show it: https://platform.openai.com/docs/guides/reasoning */
import { EFFORTS, type Reasoning } from '../../../chat/request.ts';
import { isAbsent, readObject, readTextOrNull, readWordOrNull } from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/**
 * Null when the caller did not say. Thoughts are shown only as summaries, and only if one is requested. Without an effort the model decides:
 * a client that asks for a summary expects it to think.
 */
export function readReasoning(value: unknown, warnings: Set<string>): Reasoning | null {
  if (isAbsent(value)) return null;
  const wish = readObject(value, 'reasoning');
  warnOfUnknown(wish, KNOWN, 'reasoning.', warnings);
  const effort = readWordOrNull(wish['effort'], 'reasoning.effort', EFFORTS);
  const summary =
    readTextOrNull(wish['summary'], 'reasoning.summary') ??
    readTextOrNull(wish['generate_summary'], 'reasoning.generate_summary');
  const shown = summary !== null && summary !== 'none';
  return { effort, budget: null, adaptive: effort === null && shown, hidden: !shown };
}

const KNOWN: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);
