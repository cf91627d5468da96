/** Example answers: from the document, or generated from the schema. */
import type { Document, Operation } from './document.ts';
import { exampleValue } from './example-value.ts';
import type { Snippet } from './request-snippets.ts';

const LABELS: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'text/event-stream': 'Stream',
  'text/csv': 'CSV',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
};

/** Empty if the answer has no body. */
export function exampleAnswers({ responses }: Operation, document: Document): readonly Snippet[] {
  const [, answer] = Object.entries(responses).find(([status]) => status < '300') ?? [];
  return Object.entries(answer?.content ?? {}).flatMap(([type, { schema, example }]) => {
    const label = LABELS[type] ?? type;
    if (typeof example === 'string') return [{ label, code: example.trimEnd() }];
    const isJson = type.endsWith('json');
    const value = example ?? (isJson && schema !== undefined ? exampleValue(schema, document, 'answer') : undefined);
    return value === undefined ? [] : [{ label, code: JSON.stringify(value, null, 2) }];
  });
}
