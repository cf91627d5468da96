/**
 * Writes an answer as a stream: each item in its events, each event with its number, and the whole answer at the end. Nothing like `[DONE]`
 * follows.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { ChatEvent, Finish } from '../../../chat/response.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { type CallId, requestId } from '../../../core/ids.ts';
import type { Usage } from '../../../core/usage.ts';
import type { StreamWriter, WriteContext } from '../../interface/stream-writer.ts';
import { errorEvent, failureOf } from '../errors/write-error.ts';
import { AnswerItems } from './answer-items.ts';
import { AnswerObject, type AnswerState } from './answer-object.ts';
import { writeFinish } from './finish-reason.ts';
import { addLossesOfFinish } from './losses.ts';
import type { WireEvent } from './wire-event.ts';
import { writeUsage } from './write-usage.ts';

export function openWriter(context: WriteContext): StreamWriter {
  return new OpenaiResponsesWriter(context);
}

class OpenaiResponsesWriter implements StreamWriter {
  readonly #context: WriteContext;
  readonly #answer: AnswerObject;
  readonly #items: AnswerItems;
  #sequence = 0;
  #usage: Usage | null = null;
  #finish: Finish | null = null;
  #over = false;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#answer = new AnswerObject(context);
    this.#items = new AnswerItems(context);
  }

  event(event: ChatEvent): Buffer {
    if (this.#over) return NOTHING;
    switch (event.type) {
      case 'start':
        this.#usage = event.usage;
        return Buffer.from(this.#state('response.created', BEGUN) + this.#state('response.in_progress', BEGUN));
      case 'finish':
        return this.#end(event.finish);
      case 'end':
        return this.#complete(event.usage ?? this.#usage);
      case 'error':
        return this.fail(event.error);
      case 'warning':
        return NOTHING;
      default:
        return this.#encode(this.#items.event(event));
    }
  }

  /** OpenAI's libraries stop at the first event; Codex reads only the second. */
  fail(error: GatewayError): Buffer {
    if (this.#over) return NOTHING;
    this.#over = true;
    const items = this.#encode(this.#items.close('incomplete'));
    const failed = this.#stateOf({ status: 'failed', error: failureOf(error), incomplete_details: null });
    const text = encode(errorEvent(error, requestId(this.#context.id as CallId)), this.#next());
    return Buffer.concat([items, Buffer.from(text + this.#state('response.failed', failed))]);
  }

  #end(finish: Finish): Buffer {
    this.#finish = finish;
    addLossesOfFinish(finish, this.#context.warnings);
    return this.#encode(this.#items.close(this.#written().status));
  }

  #complete(usage: Usage | null): Buffer {
    this.#over = true;
    this.#usage = usage;
    const state = this.#stateOf({ ...this.#written(), error: null });
    return Buffer.from(this.#state(`response.${state.status}`, state));
  }

  #written() {
    return writeFinish(this.#finish?.reason ?? 'blank', this.#items.hasRefusal);
  }

  #stateOf(state: Pick<AnswerState, 'status' | 'error' | 'incomplete_details'>): AnswerState {
    const usage = this.#usage === null ? null : writeUsage(this.#usage, this.#context.cost());
    return { ...state, output: this.#items.output, usage };
  }

  #state(type: string, state: AnswerState): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#next()},"response":${this.#answer.write(state)}}\n\n`;
  }

  #encode(events: readonly WireEvent[]): Buffer {
    if (events.length === 0) return NOTHING;
    return Buffer.from(events.map((event) => encode(event, this.#next())).join(''));
  }

  #next(): number {
    const next = this.#sequence;
    this.#sequence += 1;
    return next;
  }
}

const NOTHING = Buffer.alloc(0);
const BEGUN: AnswerState = { status: 'in_progress', error: null, incomplete_details: null, output: [], usage: null };

/** JSON has no line breaks. */
function encode(event: WireEvent, sequence_number: number): string {
  return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
}
