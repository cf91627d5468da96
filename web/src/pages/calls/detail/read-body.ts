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

/** What a stream of events said, put together. Null for what is no such stream, or says no text. */
export function answerText(text: string): string | null {
  if (!/^(event|data|id|retry)?:/.test(text.trimStart())) return null;
  let words = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('data:')) words += deltaOf(line.slice(5).trim());
  }
  return words === '' ? null : words;
}

/** Of one event: a chunk of chat completions, or a delta of a message. */
function deltaOf(data: string): string {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return '';
  }
  const choices = fieldOf(event, 'choices');
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const said = fieldOf(fieldOf(first, 'delta'), 'content') ?? fieldOf(fieldOf(event, 'delta'), 'text');
  return typeof said === 'string' ? said : '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
