/**
 * The responses of functions as results of calls. Older clients send no ids, so a response is matched by its id, or by its name in the
 * order of the calls.
 *
 * https://ai.google.dev/gemini-api/docs/function-calling
 */
import type { Json, JsonObject, TextBlock, ToolResultBlock } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { isAbsent } from '../../kit/request/request-values.ts';
import type { FunctionResult } from './read-content.ts';

/** The calls of one turn of the model. */
export class OpenCalls {
  readonly #calls: { readonly sentId: string | null; readonly id: string; readonly name: string }[] = [];
  readonly #results = new Map<string, ToolResultBlock>();
  readonly #ids: CallIds;

  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  /** The id that the call has here. */
  add({ id: sentId, name }: { readonly id: string | null; readonly name: string }): string {
    const id = this.#ids.next(sentId);
    this.#calls.push({ sentId, id, name });
    return id;
  }

  /** Throws `GatewayError` 400 for a response that answers no call of the turn, or one that is answered already. */
  answer(result: FunctionResult): void {
    const open = this.#calls.filter(({ id }) => !this.#results.has(id));
    const call =
      (result.id === null ? undefined : open.find(({ sentId }) => sentId === result.id)) ??
      open.find(({ sentId, name }) => name === result.name && (sentId === null || result.id === null));
    if (call === undefined)
      throw invalid(result.path, `"${result.path}" answers no function call of the turn before it.`);
    this.#results.set(call.id, resultBlock(call.id, result));
  }

  /** The results in the order of the calls. A call that was cut short gets one that says so, as when a user stops an agent. */
  results(warnings: Set<string>): readonly ToolResultBlock[] {
    return this.#calls.map(({ id }) => {
      const result = this.#results.get(id);
      if (result !== undefined) return result;
      warnings.add('a function call without a response was given one that says so');
      return { type: 'tool_result', callId: id, content: [NOTHING_GIVEN], isError: true, cache: null };
    });
  }
}

/** Ids of one conversation: those that were sent, or new ones, which are the same each time it is sent, as prompt caches need. */
export class CallIds {
  readonly #used = new Set<string>();
  #made = 0;

  next(sent: string | null): string {
    let id = sent;
    while (id === null || this.#used.has(id)) {
      this.#made += 1;
      id = `call_${this.#made}`;
    }
    this.#used.add(id);
    return id;
  }
}

const NOTHING_GIVEN: TextBlock = { type: 'text', text: 'No response was given.', cache: null };

function resultBlock(callId: string, { response, media, path }: FunctionResult): ToolResultBlock {
  const { text, isError } = readResponse(response);
  const content: ToolResultBlock['content'][number][] = text === '' ? [] : [{ type: 'text', text, cache: null }];
  for (const block of media) {
    if (block.type === 'audio' || block.type === 'video')
      throw unsupported(
        `${path}.parts`,
        'Sounds and videos in the response of a function cannot be passed to this model.',
      );
    content.push(block);
  }
  return { type: 'tool_result', callId, content, isError, cache: null };
}

/** A response may have its words in `output`, `result` (as Google's SDKs and this gateway write them) or `error`; otherwise all of it is the response. */
function readResponse(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const [[name, value] = ['', null], ...others] = Object.entries(response);
  if (others.length > 0 || isAbsent(value))
    return { text: name === '' ? '' : JSON.stringify(response), isError: false };
  if (name === 'error') return { text: wordsOf(value), isError: true };
  return { text: name === 'output' || name === 'result' ? wordsOf(value) : JSON.stringify(response), isError: false };
}

function wordsOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
