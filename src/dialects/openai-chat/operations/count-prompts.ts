/** How many prompts a request for completions has: each is answered for itself. */
import { countItems, nextItem } from '../../../wire/array-items.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';

/**
 * A text, a list of tokens, and no prompt at all (the model then begins a document) are one prompt; a list of texts or of lists of tokens are
 * as many as it has. Throws `GatewayError` 400 for anything else.
 */
export function countPrompts(document: JsonDocument): number {
  const prompt = requestFields.present(document, 'prompt');
  if (prompt === null || prompt.type === 'string') return 1;
  if (prompt.type !== 'array') throw wrong();
  const { bytes } = document;
  const first = bytes[nextItem(bytes, prompt.valueStart + 1)];
  if (first === CLOSE_BRACKET) throw invalid('prompt', '"prompt" must not be empty.');
  if (first !== QUOTE && first !== OPEN_BRACKET) return countTokenList(document, prompt);
  refuseManyValues(document, 'prompt');
  return countItems(bytes, prompt);
}

/** A server must not find other prompts among the tokens. */
function countTokenList({ bytes }: JsonDocument, { valueStart, valueEnd }: JsonField): number {
  const items = bytes.subarray(valueStart + 1, valueEnd - 1);
  if ([QUOTE, OPEN_BRACKET, OPEN_BRACE].some((mark) => items.includes(mark))) throw wrong();
  return 1;
}

function wrong(): Error {
  return invalid('prompt', '"prompt" must be a text, a list of texts, a list of tokens, or a list of such lists.');
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
