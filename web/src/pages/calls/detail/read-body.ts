/** Makes a kept body easier to read. Null where it cannot be read so. */

/** Indented. Null for what is no JSON: a stream, or a body that was cut. */
export function prettyJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}

/** What a stream said, put together. Null for what is no stream, or says no text. */
export function answerText(text: string): string | null {
  const start = text.trimStart();
  const isArray = start.startsWith('[');
  if (!isArray && !/^(event|data|id|retry)?:/.test(start)) return null;
  let words = '';
  for (const line of text.split(/\r?\n/)) {
    // An element of Google's array is one line.
    if (isArray) words += wordsOf(line.replace(/^\[/, '').replace(/\]$/, ''));
    else if (line.startsWith('data:')) words += wordsOf(line.slice(5).trim());
  }
  return words === '' ? null : words;
}

/** The text that one event adds, in any of the formats of callers. */
function wordsOf(data: string): string {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return '';
  }
  const said = ofChunk(event) ?? ofMessage(event) ?? ofResponse(event) ?? ofCandidate(event);
  return typeof said === 'string' ? said : '';
}

/** Chat completions. */
function ofChunk(event: unknown): unknown {
  return fieldOf(fieldOf(firstOf(fieldOf(event, 'choices')), 'delta'), 'content');
}

/** Messages. */
function ofMessage(event: unknown): unknown {
  return fieldOf(fieldOf(event, 'delta'), 'text');
}

/** Responses: other deltas are thoughts and arguments. */
function ofResponse(event: unknown): unknown {
  return fieldOf(event, 'type') === 'response.output_text.delta' ? fieldOf(event, 'delta') : undefined;
}

/** Gemini: parts with `thought` are thoughts. */
function ofCandidate(event: unknown): unknown {
  const parts = fieldOf(fieldOf(firstOf(fieldOf(event, 'candidates')), 'content'), 'parts');
  if (!Array.isArray(parts)) return undefined;
  return parts
    .filter((part) => fieldOf(part, 'thought') !== true)
    .map((part) => fieldOf(part, 'text') ?? '')
    .join('');
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
