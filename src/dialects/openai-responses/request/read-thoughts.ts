/**
 * A reasoning item that a caller sends back: OpenAI's own, or a thought of another vendor that this gateway wrote as one.
 *
 * https://platform.openai.com/docs/guides/reasoning#keeping-reasoning-items-in-context
 */
import { type JsonObject, OPENAI_REASONING, type ReasoningBlock, UNKNOWN_REASONING } from '../../../chat/request.ts';
import { readListOrEmpty, readObject, readText, readTextOrNull } from '../../kit/request/request-values.ts';
import { openThought } from '../answer/thought-seal.ts';
import { warnOfUnknown } from './unknown-fields.ts';

const KNOWN: ReadonlySet<string> = new Set(['type', 'id', 'status', 'summary', 'content', 'encrypted_content']);

/** Its blocks: each summary, each text, and the opaque value; none if the item says nothing. */
export function readThought(item: JsonObject, path: string, warnings: Set<string>): readonly ReasoningBlock[] {
  warnOfUnknown(item, KNOWN, 'input[].', warnings);
  const summaries = readTexts(item['summary'], `${path}.summary`, 'input[].summary[].', warnings);
  const texts = readTexts(item['content'], `${path}.content`, 'input[].content[].', warnings);
  const sealed = openThought(readTextOrNull(item['encrypted_content'], `${path}.encrypted_content`) ?? '');
  if (sealed !== null) return sealed.restore([...summaries, ...texts].join(''));
  const encrypted = readTextOrNull(item['encrypted_content'], `${path}.encrypted_content`) || null;
  // Only what OpenAI encrypted is certainly its own: other servers of this format show their thoughts.
  const origin = encrypted === null ? UNKNOWN_REASONING : OPENAI_REASONING;
  const id = readTextOrNull(item['id'], `${path}.id`) || null;
  const whose = { signature: null, origin, ...(id !== null && encrypted !== null && { id }) };
  return [
    ...summaries.map((text): ReasoningBlock => ({ type: 'reasoning', text, encrypted: null, ...whose, summary: true })),
    ...texts.map((text): ReasoningBlock => ({ type: 'reasoning', text, encrypted: null, ...whose })),
    ...(encrypted === null ? [] : [{ type: 'reasoning' as const, text: '', encrypted, ...whose }]),
  ];
}

const KNOWN_IN_TEXT: ReadonlySet<string> = new Set(['type', 'text']);

function readTexts(value: unknown, path: string, where: string, warnings: Set<string>): readonly string[] {
  return readListOrEmpty(value, path)
    .map((part, index) => {
      const at = `${path}[${index}]`;
      if (typeof part === 'string') return part;
      const text = readObject(part, at);
      warnOfUnknown(text, KNOWN_IN_TEXT, where, warnings);
      return readText(text['text'], `${at}.text`);
    })
    .filter((text) => text !== '');
}
