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
  readonly #calls: string[] = [];
  readonly #results = new Map<string, ToolResultBlock>();
  readonly #byId = new Queues();
  readonly #byName = new Queues();
  /** Only those that were sent without an id. */
  readonly #nameless = new Queues();
  readonly #ids: CallIds;

  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  /** The id that the call has here. */
  add({ id: sentId, name }: { readonly id: string | null; readonly name: string }): string {
    const id = this.#ids.next(sentId);
    this.#calls.push(id);
    this.#byName.add(name, id);
    if (sentId === null) this.#nameless.add(name, id);
    else this.#byId.add(sentId, id);
    return id;
  }

  /** Throws `GatewayError` 400 for a response that answers no call of the turn, or one that is answered already. */
  answer(result: FunctionResult): void {
    const { id, name, path } = result;
    const isAnswered = (call: string): boolean => this.#results.has(call);
    const call =
      id === null
        ? this.#byName.next(name, isAnswered)
        : (this.#byId.next(id, isAnswered) ?? this.#nameless.next(name, isAnswered));
    if (call === null) throw invalid(path, `"${path}" answers no function call of the turn before it.`);
    this.#results.set(call, resultBlock(call, result));
  }

  /** The results in the order of the calls. A call that was cut short gets one that says so, as when a user stops an agent. */
  results(warnings: Set<string>): readonly ToolResultBlock[] {
    return this.#calls.map((id) => {
      const result = this.#results.get(id);
      if (result !== undefined) return result;
      warnings.add('a function call without a response was given one that says so');
      return { type: 'tool_result', callId: id, content: [NOTHING_GIVEN], isError: true, cache: null };
    });
  }
}

/** Calls by a word, in order; each is passed once, so that many of them take no more than their number. */
class Queues {
  readonly #queues = new Map<string, { readonly calls: string[]; at: number }>();

  add(word: string, call: string): void {
    const queue = this.#queues.get(word);
    if (queue === undefined) this.#queues.set(word, { calls: [call], at: 0 });
    else queue.calls.push(call);
  }

  /** The first call of this word that is not answered; null if there is none. */
  next(word: string, isAnswered: (call: string) => boolean): string | null {
    const queue = this.#queues.get(word);
    if (queue === undefined) return null;
    for (; queue.at < queue.calls.length; queue.at += 1) {
      const call = queue.calls[queue.at] as string;
      if (!isAnswered(call)) return call;
    }
    return null;
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
