/** Writes how much the model should think: https://platform.openai.com/docs/guides/reasoning */
import type { ChatRequest } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { nearestEffort, wantedEffort } from '../../kit/request/fit-effort.ts';
import type { DialectTarget } from '../quirks.ts';
import { isOwnThought } from './write-thoughts.ts';

/** `reasoning` and `include`; each only if needed. */
export function writeReasoning(request: ChatRequest, target: DialectTarget, warnings: Set<string>): JsonObject {
  const { reasoning } = request;
  const reasons = takesReasoning(target);
  if (reasoning !== null && reasons === false && asksForThought(reasoning)) {
    warnings.add('reasoning was left out, because this model does not accept it');
  }
  const asked = reasoning === null || reasons === false ? null : writeAsked(reasoning, target, warnings);
  // Models that cannot think refuse to encrypt thoughts.
  const isThinking = reasons ?? (asked !== null || holdsOwnThought(request, target));
  return { reasoning: asked ?? undefined, include: isThinking ? ENCRYPTED : undefined };
}

/** Without it, and without stored answers, a tool loop could not send thoughts back. */
const ENCRYPTED = ['reasoning.encrypted_content'];

function writeAsked(
  reasoning: NonNullable<ChatRequest['reasoning']>,
  target: DialectTarget,
  warnings: Set<string>,
): JsonObject | null {
  const { effort: wanted, budget, adaptive, hidden } = reasoning;
  if (wanted !== null && budget !== null) warnings.add('the thinking budget was left out: the effort is used instead');
  else if (budget !== null) warnings.add('this model does not support a thinking budget; it was sent as an effort');
  const effort = nearestEffort(wantedEffort(reasoning), target.efforts, warnings) ?? undefined;
  const isShown = !hidden && effort !== 'none' && (effort !== undefined || adaptive);
  const isSummarised = isShown && target.quirks.summaries;
  if (isShown && !isSummarised) warnings.add('thoughts are not shown, because this provider does not summarise them');
  if (effort === undefined && !isSummarised) return null;
  return { effort, summary: isSummarised ? 'auto' : undefined };
}

/** Null if the model's parameters are unknown. */
function takesReasoning({ parameters }: DialectTarget): boolean | null {
  return parameters === null ? null : WORDS.some((word) => parameters.has(word));
}

const WORDS = ['reasoning', 'reasoning_effort', 'include_reasoning'] as const;

/** For a model that cannot think, a request not to think is already met. */
function asksForThought({ effort, budget }: NonNullable<ChatRequest['reasoning']>): boolean {
  return effort === null ? budget !== null : effort !== 'none';
}

function holdsOwnThought({ turns }: ChatRequest, { quirks }: DialectTarget): boolean {
  return turns.some(
    (turn) =>
      turn.role === 'assistant' &&
      turn.blocks.some((block) => block.type === 'reasoning' && isOwnThought(block, quirks)),
  );
}
