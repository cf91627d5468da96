/**
 * Meters one answer in this format. Its last event has the whole response with its usage; before that, only what was delivered is known.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import { asArray, asObject, asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { completionTokens, type ReportedParts, type Usage } from '../../../core/usage.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { isBlankData } from '../../kit/answer/blank-data.ts';
import { type Tokenizer, WordCounter } from '../../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { isDone } from '../answer/done-event.ts';
import { isFailed, reasonWord } from '../answer/finish-reason.ts';
import { deltaText, textsOf } from './delivered.ts';
import { readUsage, type UsageReading } from './read-usage.ts';
import { ToolUses } from './tool-uses.ts';

export function openMeter(_peek: Peek, tokenizer?: Tokenizer): Meter {
  return new OpenaiResponsesMeter(tokenizer);
}

class OpenaiResponsesMeter implements Meter {
  state: MeterState = 'open';
  failure: SilentFailure | null = null;
  ended = false;
  upstreamId: string | null = null;
  finishReason: string | null = null;
  addedText = 0;
  isUnknown = false;
  #reading: UsageReading | null = null;
  #outputBytes = 0;
  readonly #uses = new ToolUses();
  readonly #ids = new Set<string>();
  readonly #containers = new Set<string>();
  /** Items that are not text: calls, images, the provider's own tools. */
  #hasItems = false;
  /** By item: the bytes that its deltas have added. */
  readonly #streamed = new Map<unknown, { bytes: number }>();
  /** The item of the last delta. */
  #current = { bytes: 0 };
  /** Null if the model's tokenizer is not known: then only bytes are counted. */
  readonly #words: WordCounter | null;

  constructor(tokenizer?: Tokenizer) {
    this.#words = tokenizer === 'words' ? new WordCounter() : null;
  }

  frame(frame: Frame): void {
    const { data } = frame;
    this.addedText = 0;
    this.isUnknown = data === null || isBlankData(data) || isDone(data);
    // What follows the last event, or an unreadable one, is not part of the answer.
    if (data === null || this.isUnknown || this.ended || this.failure !== null) return;
    const event = asObject(frame.json());
    if (event === null) {
      this.state = 'failed';
      this.failure = 'unreadable';
      return;
    }
    this.#see(asText(event['type']) ?? frame.event ?? '', event);
  }

  again(textBytes: number): void {
    this.#outputBytes += textBytes;
    this.#current.bytes += textBytes;
  }

  body({ object: response }: WholeAnswer): void {
    this.ended = true;
    // A page, an error with status 200, and other JSON are not answers.
    if (response === null || !Array.isArray(response['output']) || isFailed(response)) this.state = 'failed';
    if (response !== null) this.#end(response);
  }

  usage(): Usage | null {
    return this.#reading?.usage ?? null;
  }

  reported(): ReportedParts {
    return this.#reading?.reported ?? 'none';
  }

  /** The answer's own first: it is never left out. */
  storedIds(): readonly string[] {
    return this.upstreamId === null ? [...this.#ids] : [this.upstreamId, ...this.#ids];
  }

  containerIds(): readonly string[] {
    return [...this.#containers];
  }

  usageInvalid(): boolean {
    return this.#reading?.isInvalid ?? false;
  }

  delivered(): Delivered {
    return {
      outputBytes: this.#outputBytes,
      outputTokens: this.#words?.tokens ?? null,
      toolUses: this.#uses.counts,
    };
  }

  #see(type: string, event: JsonObject): void {
    const delta = deltaText(type, event);
    if (delta !== null) return this.#delta(type, event, delta);
    const response = asObject(event['response']);
    switch (type) {
      case 'response.output_item.done':
        return this.#item(event, asObject(event['item']) ?? {});
      case 'response.completed':
      case 'response.incomplete':
        this.ended = true;
        return this.#end(response ?? {});
      case 'response.failed':
      case 'response.cancelled':
      case 'error':
        this.ended = true;
        this.state = 'failed';
        return this.#identify(response ?? {});
      default:
        if (response !== null) this.#identify(response);
        else this.isUnknown = !type.startsWith('response.');
    }
  }

  #delta(type: string, event: JsonObject, text: string): void {
    const item = keyOf(event);
    let streamed = this.#streamed.get(item);
    if (streamed === undefined) {
      streamed = { bytes: 0 };
      this.#streamed.set(item, streamed);
    }
    const bytes = Buffer.byteLength(text);
    this.#current = streamed;
    streamed.bytes += bytes;
    this.#outputBytes += bytes;
    if (this.#words === null) this.addedText = bytes;
    else this.#words.add(`${String(item)} ${type} ${event['content_index'] ?? event['summary_index'] ?? 0}`, text);
  }

  /** Some servers send a text or the arguments of a call only with the end of their item. */
  #item(event: JsonObject, item: JsonObject): void {
    const streamed = this.#streamed.get(keyOf(event))?.bytes ?? 0;
    this.#seeType(item);
    this.#uses.see(item);
    this.#seeIds(item);
    const texts = textsOf(item);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.#outputBytes += Math.max(0, bytes - streamed);
    if (this.#words !== null) this.#addWords(item, texts, streamed === 0);
  }

  /** The name of a call is not in its deltas. */
  #addWords(item: JsonObject, texts: readonly string[], isNew: boolean): void {
    const key = `${String(item['id'])} item ${this.#outputBytes}`;
    if (item['type'] === 'function_call' || item['type'] === 'custom_tool_call')
      this.#words?.add(`${key} name`, asText(item['name']) ?? '');
    if (isNew) for (const [index, text] of texts.entries()) this.#words?.add(`${key} ${index}`, text);
  }

  #end(response: JsonObject): void {
    this.#identify(response);
    this.finishReason = reasonWord(response);
    const items = objectsOf(response['output']);
    let bytes = 0;
    for (const item of items) {
      this.#seeType(item);
      this.#seeIds(item);
      for (const text of textsOf(item)) bytes += Buffer.byteLength(text);
    }
    // Without a stream before it, or with one that left something out.
    if (this.#outputBytes === 0 && this.#words !== null)
      for (const [index, item] of items.entries()) this.#addWords({ ...item, id: index }, textsOf(item), true);
    this.#outputBytes = Math.max(this.#outputBytes, bytes);
    if (this.state === 'open') this.state = this.#isEmpty(response) ? 'empty' : 'finished';
  }

  #seeIds(item: JsonObject): void {
    addId(this.#ids, item['id']);
    addId(this.#containers, item['container_id'] ?? asObject(item['environment'])?.['container_id']);
  }

  #seeType({ type }: JsonObject): void {
    if (type !== 'message' && type !== 'reasoning') this.#hasItems = true;
  }

  #identify(response: JsonObject): void {
    this.upstreamId ??= asText(response['id'])?.slice(0, ID_LENGTH_MAX) ?? null;
    this.#reading = readUsage(response, this.#uses) ?? this.#reading;
  }

  /** An answer that reached its cap without a word has cost something all the same. */
  #isEmpty({ status, output }: JsonObject): boolean {
    if (this.#outputBytes > 0 || this.#hasItems || status === 'incomplete' || asArray(output).length > 0) return false;
    const usage = this.usage();
    return usage === null || completionTokens(usage) === 0;
  }
}

const ID_LENGTH_MAX = 256;
const IDS_MAX = 512;

function addId(ids: Set<string>, id: unknown): void {
  if (typeof id === 'string' && id.length <= ID_LENGTH_MAX && ids.size < IDS_MAX) ids.add(id);
}

/** Servers change ids between the events of an item, and some have no indexes. */
function keyOf(event: JsonObject): unknown {
  return event['output_index'] ?? event['item_id'] ?? asObject(event['item'])?.['id'] ?? null;
}
