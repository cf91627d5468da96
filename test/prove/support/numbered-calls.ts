/** Callers that record what they saw: calls of three formats, both lanes, streamed and whole, stored or not, at random. */
import { endsProperly, errorCode } from '../../support/open-gateway.ts';
import type { NumberedFormat } from './numbered-formats.ts';
import { contentOf, KEEPING_MODEL, NUMBERED_MODELS, OUTPUT_CAP, type Plan } from './numbered-provider.ts';
import { between } from './seeded.ts';

/** What a caller knows of its call. */
export interface CallLog {
  readonly plan: Plan;
  readonly dialect: NumberedFormat;
  readonly streamed: boolean;
  readonly bodyBytes: number;
  /** Whether its provider keeps the answer, for the project of its key. */
  readonly isStored: boolean;
  /** From `x-generation-id`; null while no head of an answer was seen. */
  id: string | null;
  status: number | null;
  /** The stable code of an error, of an answer's body or of a stream's last event. */
  code: string | null;
  /** Whether the answer was seen to its proper end. */
  complete: boolean;
}

export interface CallersOptions {
  readonly url: string;
  readonly key: string;
  readonly random: () => number;
  /** The number of the next call; continues over all runs. */
  readonly numbers: Iterator<number>;
  /** Every call is recorded here before it is made. */
  readonly log: CallLog[];
  /** Called for every piece read and every answer that ended. */
  readonly onProgress: () => void;
  /** Called for a call whose connection broke. */
  readonly onBroken?: (call: CallLog) => void;
  /** How many answers that never end may be waited for at once. */
  readonly staying: number;
}

/** Calls one after the other until `goesOn` says no, or the connection breaks. */
export class Callers {
  readonly #options: CallersOptions;
  readonly #random: () => number;
  #staying = 0;

  constructor(options: CallersOptions) {
    this.#options = options;
    this.#random = options.random;
  }

  async run(count: number, goesOn: () => boolean): Promise<void> {
    const caller = async () => {
      while (goesOn()) if (!(await this.#call())) return;
    };
    await Promise.all(Array.from({ length: count }, caller));
  }

  /** False when the connection broke. */
  async #call(): Promise<boolean> {
    const { url, key, log } = this.#options;
    const { call, body } = this.#next();
    log.push(call);
    try {
      const response = await fetch(url + PATHS[call.dialect], {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      });
      call.status = response.status;
      call.id = response.headers.get('x-generation-id');
      await this.#read(call, response);
      return true;
    } catch (error) {
      // `fetch` reports a connection that was refused or broke this way; anything else is an error in this file.
      if (!(error instanceof TypeError)) throw error;
      this.#options.onBroken?.(call);
      return false;
    } finally {
      if (call.plan.stays) this.#staying -= 1;
    }
  }

  async #read(call: CallLog, response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      this.#options.onProgress();
    }
    if (!call.streamed || response.status !== 200) {
      const parsed: unknown = JSON.parse(text);
      call.code = errorCode(parsed);
      call.complete = response.status === 200;
    } else {
      call.complete = endsProperly(text);
      call.code = /"(?:code|error_type)":"([a-z_]+)"/.exec(text)?.[1] ?? null;
    }
    this.#options.onProgress();
  }

  #next(): { readonly call: CallLog; readonly body: string } {
    const random = this.#random;
    const { numbers, staying } = this.#options;
    const stays = this.#staying < staying && random() < 0.15;
    if (stays) this.#staying += 1;
    // A few are longer than what lies between two checkpoints.
    const pieces = random() < 0.2 ? between(random, 200, 700) : between(random, 0, 40);
    const plan: Plan = { number: numbers.next().value as number, pieces, stays };
    const dialect = FORMATS[between(random, 0, FORMATS.length - 1)] ?? 'openai-chat';
    const streamed = random() < 0.6;
    const isKept = dialect === 'openai-responses' && random() < 0.6;
    const model = isKept ? KEEPING_MODEL : NUMBERED_MODELS[between(random, 0, NUMBERED_MODELS.length - 1)];
    const store = random() < 0.8;
    const body = JSON.stringify({ model, stream: streamed, ...askedAs(dialect, contentOf(plan), store) });
    const isStored = dialect === 'openai-responses' && model === KEEPING_MODEL && store;
    const seen = { id: null, status: null, code: null, complete: false };
    return { call: { plan, dialect, streamed, bodyBytes: Buffer.byteLength(body), isStored, ...seen }, body };
  }
}

const PATHS: Readonly<Record<NumberedFormat, string>> = {
  'openai-chat': '/api/v1/chat/completions',
  'anthropic-messages': '/api/v1/messages',
  'openai-responses': '/api/v1/responses',
};
const FORMATS = Object.keys(PATHS) as NumberedFormat[];

function askedAs(format: NumberedFormat, content: string, store: boolean): object {
  const messages = [{ role: 'user', content }];
  if (format !== 'openai-responses') return { max_tokens: OUTPUT_CAP, messages };
  return { max_output_tokens: OUTPUT_CAP, input: messages, ...(!store && { store }) };
}

export function* countUp(): Generator<number> {
  for (let number = 1; ; number += 1) yield number;
}
