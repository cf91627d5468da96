/**
 * A strict reader of answers in OpenAI's Responses format: it asserts the order of the events, their numbers and indexes, and that what is
 * said at the end of each part, item and answer is what was said piece by piece. OpenAI's libraries check a part of this.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import assert from 'node:assert/strict';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a response object always has: its fields without a default in the vendor's specification, and what libraries read. */
const REQUIRED = [
  ...['id', 'object', 'created_at', 'status', 'error', 'incomplete_details', 'instructions', 'model', 'output'],
  ...['parallel_tool_calls', 'metadata', 'temperature', 'text', 'tool_choice', 'tools', 'top_p', 'usage'],
];

/** The response object of a whole answer. */
export function checkResponse(response: Fields): Fields {
  for (const name of REQUIRED) assert.ok(name in response, `the response has no ${name}`);
  assert.equal(response['object'], 'response');
  assert.match(String(response['id']), /^resp_\w+$/);
  const { usage } = response;
  if (usage !== null) {
    const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } = usage as Fields;
    assert.equal(total_tokens, Number(input_tokens) + Number(output_tokens));
    assert.deepEqual(Object.keys(input_tokens_details as Fields).sort(), ['cache_write_tokens', 'cached_tokens']);
    assert.deepEqual(Object.keys(output_tokens_details as Fields), ['reasoning_tokens']);
  }
  return response;
}

/** The events of a stream, in order; asserts that each has its name and its number, and that nothing else is in it. */
export function eventsOfStream(bytes: Buffer): readonly Fields[] {
  const splitter = new SseSplitter();
  const frames = splitter.push(bytes);
  assert.equal(splitter.end().length, 0, 'the stream ends with a whole event');
  return frames
    .filter(({ data }) => data !== null)
    .map(({ bytes: frame, data }, index) => {
      const event = JSON.parse(String(data)) as Fields;
      assert.equal(frame.toString(), `event: ${event['type']}\ndata: ${String(data)}\n\n`);
      assert.equal(event['sequence_number'], index);
      return event;
    });
}

/** Reads a stream to its end. Returns the last response object. */
export function checkStream(bytes: Buffer): Fields {
  const reader = new StrictReader();
  for (const event of eventsOfStream(bytes)) reader.read(event);
  return reader.end();
}

class StrictReader {
  #id: unknown = null;
  #events = 0;
  readonly #output: Fields[] = [];
  #open: StrictItem | null = null;
  #sawError = false;
  #last: Fields | null = null;
  readonly #ids = new Set<unknown>();

  read(event: Fields): void {
    const { type } = event;
    assert.equal(this.#last, null, `${type} follows the end`);
    this.#events += 1;
    if (this.#events <= 2) return this.#begin(event, this.#events === 1 ? 'response.created' : 'response.in_progress');
    switch (type) {
      case 'error':
        assert.ok(typeof event['message'] === 'string' && 'code' in event && 'param' in event);
        this.#sawError = true;
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#end(event);
      case 'response.output_item.added': {
        assert.equal(this.#open, null, 'one item at a time');
        assert.equal(event['output_index'], this.#output.length);
        const item = event['item'] as Fields;
        assert.equal(item['status'], 'in_progress');
        for (const id of [item['id'], item['call_id']].filter((each) => each !== undefined)) {
          assert.ok(typeof id === 'string' && id !== '' && !this.#ids.has(id), `the id ${id} is new`);
          this.#ids.add(id);
        }
        this.#open = new StrictItem(item, this.#output.length);
        return;
      }
      case 'response.output_item.done': {
        assert.ok(this.#open !== null, 'an item that has begun');
        const item = this.#open.done(event);
        this.#output.push(item);
        this.#open = null;
        return;
      }
      default:
        assert.ok(this.#open !== null, `${type} belongs to an item`);
        this.#open.read(event);
    }
  }

  end(): Fields {
    assert.ok(this.#last !== null, 'the stream has an end');
    return this.#last;
  }

  #begin(event: Fields, type: string): void {
    assert.equal(event['type'], type);
    const response = checkResponse(event['response'] as Fields);
    assert.deepEqual([response['status'], response['output']], ['in_progress', []]);
    this.#id ??= response['id'];
    assert.equal(response['id'], this.#id);
  }

  #end(event: Fields): void {
    assert.equal(this.#open, null, 'every item has ended');
    const response = checkResponse(event['response'] as Fields);
    assert.equal(response['id'], this.#id);
    assert.equal(`response.${response['status']}`, event['type']);
    assert.deepEqual(response['output'], this.#output);
    assert.equal(response['incomplete_details'] !== null, response['status'] === 'incomplete');
    assert.equal(response['error'] !== null, response['status'] === 'failed');
    assert.equal(this.#sawError, response['status'] === 'failed');
    this.#last = response;
  }
}

/** An item with the texts that grow in it. */
class StrictItem {
  readonly #item: Fields;
  readonly #index: number;
  readonly #parts: Fields[] = [];
  /** The open part, or the item's own text. */
  #text: string | null = null;
  #annotations: unknown[] = [];
  #isPartDone = false;
  #isImageDone = false;

  constructor(item: Fields, index: number) {
    this.#item = item;
    this.#index = index;
    const own = item['type'] === 'function_call' ? item['arguments'] : item['input'];
    if (item['type'] === 'function_call' || item['type'] === 'custom_tool_call') {
      assert.equal(own, '');
      this.#text = '';
    }
    if (item['type'] === 'message') assert.deepEqual([item['content'], item['role']], [[], 'assistant']);
    if (item['type'] === 'reasoning') assert.deepEqual(item['summary'], []);
  }

  read(event: Fields): void {
    assert.equal(event['item_id'], this.#item['id']);
    assert.equal(event['output_index'], this.#index);
    const [, kind = '', step = ''] =
      /^response\.(.+)\.(added|delta|done|in_progress|completed)$/.exec(String(event['type'])) ?? [];
    const expected = KINDS[kind];
    assert.ok(expected !== undefined, `${event['type']} is known`);
    assert.equal(this.#item['type'], expected, `${event['type']} in ${this.#item['type']}`);
    if (kind === 'image_generation_call') {
      this.#isImageDone = step === 'completed';
    } else if (kind === 'content_part' || kind === 'reasoning_summary_part') {
      this.#part(event, step);
    } else if (kind === 'output_text.annotation') {
      assert.equal(event['content_index'], this.#parts.length);
      assert.equal(event['annotation_index'], this.#annotations.length);
      this.#annotations.push(event['annotation']);
    } else {
      this.#grow(event, kind, step);
    }
  }

  done(event: Fields): Fields {
    const item = event['item'] as Fields;
    assert.equal(event['output_index'], this.#index);
    for (const name of ['id', 'type', 'call_id', 'name', 'namespace']) assert.equal(item[name], this.#item[name]);
    assert.ok(item['status'] === 'completed' || item['status'] === 'incomplete');
    if (item['type'] === 'message') assert.deepEqual(item['content'], this.#parts);
    if (item['type'] === 'reasoning') assert.deepEqual(item['summary'], this.#parts);
    if (item['type'] === 'image_generation_call') assert.ok(this.#isImageDone);
    if ('arguments' in item) assert.equal(item['arguments'], this.#text);
    if ('input' in item) assert.equal(item['input'], this.#text);
    assert.equal(this.#isPartDone, 'arguments' in item || 'input' in item, 'what has begun has ended');
    return item;
  }

  #part(event: Fields, step: string): void {
    assert.equal(event['content_index'] ?? event['summary_index'], this.#parts.length);
    const part = event['part'] as Fields;
    const text = part['text'] ?? part['refusal'];
    if (step === 'added') {
      assert.deepEqual([this.#text, text], [null, '']);
      this.#text = '';
      this.#annotations = [];
      this.#isPartDone = false;
      return;
    }
    assert.ok(this.#isPartDone, 'the text ends before its part');
    assert.equal(text, this.#text);
    if ('annotations' in part) assert.deepEqual(part['annotations'], this.#annotations);
    this.#parts.push(part);
    this.#text = null;
    this.#isPartDone = false;
  }

  #grow(event: Fields, kind: string, step: string): void {
    assert.ok(this.#text !== null && !this.#isPartDone, `${event['type']} in an open part`);
    if (!kind.endsWith('arguments') && !kind.endsWith('input'))
      assert.equal(event['content_index'] ?? event['summary_index'], this.#parts.length);
    if (step === 'delta') {
      assert.ok(typeof event['delta'] === 'string' && event['delta'] !== '');
      this.#text += event['delta'];
      return;
    }
    assert.equal(event['text'] ?? event['refusal'] ?? event['arguments'] ?? event['input'], this.#text);
    this.#isPartDone = true;
  }
}

/** The type of the item in which events of a kind occur. */
const KINDS: Readonly<Record<string, string>> = {
  content_part: 'message',
  output_text: 'message',
  'output_text.annotation': 'message',
  refusal: 'message',
  function_call_arguments: 'function_call',
  custom_tool_call_input: 'custom_tool_call',
  reasoning_summary_part: 'reasoning',
  reasoning_summary_text: 'reasoning',
  image_generation_call: 'image_generation_call',
};
