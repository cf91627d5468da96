/**
 * Edits OpenRouter's fields in a relayed request. A strict provider refuses unknown names, and OpenRouter's clients send some with every
 * call; they are translated to the provider's own fields, or removed.
 */
import type { Effort } from '../../../chat/request.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type Edit, removeFields, replaceValue } from '../../../wire/json-splice.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { OPENROUTER_FIELDS, wishesNotFollowed } from '../peek/openrouter-fields.ts';
import type { DialectTarget, OpenRouterField } from '../quirks.ts';
import type { Written } from '../request/cache-marks.ts';
import { readReasoning } from '../request/read-reasoning.ts';
import { writeReasoning } from '../request/write-reasoning.ts';

export interface OpenRouterEdits {
  /** Fields to remove. */
  readonly removed: readonly JsonField[];
  /** In no order. */
  readonly edits: readonly Edit[];
  readonly warnings: readonly string[];
}

export function hasOpenRouterFields({ fields }: JsonDocument): boolean {
  for (const name of OPENROUTER_FIELDS) if (fields.has(name)) return true;
  return false;
}

/** `cap` in tokens. Throws `GatewayError` 400 if a `reasoning` field cannot be read for a provider that has another field for it. */
export function openRouterEdits(document: JsonDocument, target: DialectTarget, cap: number | null): OpenRouterEdits {
  const warnings = new Set<string>();
  const removed: JsonField[] = [];
  for (const name of OPENROUTER_FIELDS) {
    const field = document.fields.get(name);
    if (field === undefined || isKept(name, target)) continue;
    // The provider's name of the model takes its place.
    if (name === 'models' && !document.fields.has('model')) continue;
    if (name !== 'reasoning') removed.push(field);
    for (const wish of wishesNotFollowed(name, readShort(document, field))) warnings.add(wish);
  }
  const wish = document.fields.get('reasoning');
  if (wish === undefined) return { removed, edits: [], warnings: [...warnings] };
  if (isKept('reasoning', target)) {
    const edits = budgetEdits(document, wish, target, cap, warnings);
    return { removed, edits, warnings: [...warnings] };
  }
  if (wish.type === 'null') return { removed: [...removed, wish], edits: [], warnings: [...warnings] };
  const words = wordsOf(document, target, cap, warnings);
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const name of WORDS) {
    const present = document.fields.get(name);
    const json = words[name] === undefined ? null : JSON.stringify(words[name]);
    if (json === null && present !== undefined && name === 'reasoning_effort') removed.push(present);
    if (json !== null && present !== undefined) edits.push(replaceValue(present, json));
    if (json !== null && present === undefined) added.push(`${JSON.stringify(name)}:${json}`);
  }
  if (added.length === 0) removed.push(wish);
  else edits.push(replaceField(wish, added.join(',')));
  return { removed, edits, warnings: [...warnings] };
}

/** The fields that replace `reasoning` at other providers. */
const WORDS = ['thinking', 'reasoning_effort'] as const;

/** A longer value is not read. */
const READ_BYTES_MAX = 4096;

function isKept(name: OpenRouterField, { quirks }: DialectTarget): boolean {
  return quirks.openRouterFields.includes(name) || (name === 'reasoning' && quirks.reasoningField === 'reasoning');
}

function wordsOf(document: JsonDocument, target: DialectTarget, cap: number | null, warnings: Set<string>): Written {
  const { fields } = document;
  const body: Record<string, unknown> = {};
  for (const name of ['reasoning', 'reasoning_effort', 'include_reasoning']) {
    const field = fields.get(name);
    if (field === undefined) continue;
    if (field.valueEnd - field.valueStart > READ_BYTES_MAX)
      throw invalid(name, `"${name}" may take at most ${READ_BYTES_MAX} bytes.`);
    body[name] = readValue(document, field);
  }
  const reasoning = readReasoning(body, warnings);
  if (reasoning?.hidden === true)
    warnings.add('reasoning.exclude was left out: reasoning that this provider returns is passed on');
  return writeReasoning({ reasoning }, target, cap, warnings);
}

/**
 * A budget that is not below the output cap would cost more than is held; OpenRouter also requires it to be below. It is sent as an effort,
 * which is a share of the cap. https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
function budgetEdits(
  document: JsonDocument,
  wish: JsonField,
  target: DialectTarget,
  cap: number | null,
  warnings: Set<string>,
): readonly Edit[] {
  if (wish.type !== 'object' || cap === null) return [];
  const inside = scanInside(document, wish);
  const field = inside.fields.get('max_tokens');
  const budget = field === undefined ? null : readValue(document, field);
  if (field === undefined || budget === null) return [];
  if (typeof budget !== 'number')
    throw invalid('reasoning.max_tokens', '"reasoning.max_tokens" must be a whole number.');
  if (budget < cap) return [];
  const present = inside.fields.get('effort');
  const isSet = (present !== undefined && present.type !== 'null') || inside.fields.get('enabled')?.type === 'false';
  if (isSet) {
    warnings.add('the reasoning budget leaves no room under the output cap, and was left out');
    return removeFields(inside, [field]);
  }
  const quirks = { ...target.quirks, reasoningField: 'reasoning' } as const;
  const reasoning = { effort: null, budget, adaptive: false, hidden: false };
  const words = writeReasoning({ reasoning }, { ...target, quirks }, cap, warnings)['reasoning'];
  const effort = (words as { effort?: Effort } | undefined)?.effort;
  if (effort === undefined) return removeFields(inside, [field]);
  const instead = `"effort":${JSON.stringify(effort)}`;
  // `null` counts as absent, and there must be no duplicate.
  return present === undefined
    ? [replaceField(field, instead)]
    : [...removeFields(inside, [field]), replaceValue(present, JSON.stringify(effort))];
}

function readShort(document: JsonDocument, field: JsonField): unknown {
  return field.valueEnd - field.valueStart > READ_BYTES_MAX ? null : readValue(document, field);
}

function replaceField({ keyStart, valueEnd }: JsonField, text: string): Edit {
  return { start: keyStart, end: valueEnd, insert: Buffer.from(text) };
}
