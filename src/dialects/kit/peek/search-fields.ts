/**
 * Fields that make vendors search the web during a conversation, without a tool. A search has a fee that usage does not include, so prepaid
 * accounts may not use them, except with a model that always searches.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';

/**
 * OpenAI, OpenRouter and Perplexity: https://platform.openai.com/docs/guides/tools-web-search; Alibaba:
 * https://www.alibabacloud.com/help/en/model-studio/web-search; Cohere, Venice, Groq's Compound and others.
 */
export const searchFields: readonly string[] = [
  'web_search_options',
  'enable_search',
  'search_options',
  'enable_web_search',
  'use_web_search',
  'web_search',
  'enable_enhancement',
  'force_search_enhancement',
  'connectors',
  'venice_parameters',
  'compound_custom',
];

/** The name of the first of them that is switched on; null without one. */
export function readSearchField(document: JsonDocument): string | null {
  for (const name of searchFields) {
    const field = document.fields.get(name);
    if (field !== undefined && !isOff(document, field)) return name;
  }
  return null;
}

/** A longer value switches it on. */
const OFF_BYTES_MAX = 32;
const OFF: ReadonlySet<unknown> = new Set([null, false, '', 'off', 'none', 'disabled']);

function isOff(document: JsonDocument, field: JsonField): boolean {
  if (field.type === 'null' || field.type === 'false') return true;
  if (field.valueEnd - field.valueStart > OFF_BYTES_MAX) return false;
  const value = readValue(document, field);
  return OFF.has(value) || (Array.isArray(value) && value.length === 0);
}
