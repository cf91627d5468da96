/** What a good answer of each format becomes when a provider reports usage or reasons that nobody expects. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeEvent } from './event-stream.ts';
import { type AnswerFrame, laneAnswers } from './lane-answers.ts';

/** What a working provider sends, for faults that begin normally. */
export interface GoodAnswer {
  readonly format: ProviderDialectName;
  readonly frames: readonly AnswerFrame[];
  /** How many frames come before the first word. */
  readonly lead: number;
  readonly body: object;
  readonly contentType: string;
  /** An error inside a stream, in the format's own form. */
  readonly error: AnswerFrame;
  /** An error as the body of a refusal. */
  refusal(type: string, message: string): object;
}

export const FAULT_WORDS = [' one', ' two', ' three', ' four'] as const;

export function goodAnswer(format: ProviderDialectName): GoodAnswer {
  const { frames, lead, body, contentType, error } = laneAnswers[format];
  return {
    format,
    frames: frames(FAULT_WORDS),
    lead,
    body: body(FAULT_WORDS.join(''), FAULT_WORDS.length),
    contentType,
    error,
    refusal: (type, message) => REFUSALS[format](type, message),
  };
}

/** The usage of every frame, or of a whole answer, replaced; `undefined` leaves it out. */
export function withUsage(good: GoodAnswer, change: (usage: object) => unknown): GoodAnswer {
  return {
    ...good,
    frames: mapJson(good, (json) => changed(json, change)),
    body: changed(good.body, change) as object,
  };
}

/** The reason why the answer ended, replaced in every frame and in the whole answer; OpenAI's responses are `incomplete` for a reason. */
export function withReason(good: GoodAnswer, reason: string): GoodAnswer {
  const named = JSON.stringify(reason);
  const replaced = (json: unknown): unknown =>
    JSON.parse(
      JSON.stringify(json)
        .replace(
          /"(finish_reason|stop_reason|finishReason|stopReason)":"\w+"/g,
          (_, name: string) => `"${name}":${named}`,
        )
        .replace(
          '"incomplete_details":null,"status":"completed"',
          `"incomplete_details":{"reason":${named}},"status":"incomplete"`,
        ),
    );
  const frames = mapJson(good, replaced).map((frame) =>
    typeof frame === 'string' ? frame.replaceAll('response.completed', 'response.incomplete') : frame,
  );
  return { ...good, frames, body: replaced(good.body) as object };
}

/** Every number of a usage, also of its details. */
export function everyNumber(usage: object, value: unknown): object {
  return Object.fromEntries(
    Object.entries(usage).map(([name, old]) => [
      name,
      typeof old === 'number' ? value : typeof old === 'object' && old !== null ? everyNumber(old, value) : old,
    ]),
  );
}

const OPENAI: GoodAnswer['refusal'] = (type, message) => ({ error: { message, type, param: null, code: type } });

const REFUSALS: Readonly<Record<ProviderDialectName, GoodAnswer['refusal']>> = {
  'openai-chat': OPENAI,
  'openai-responses': OPENAI,
  'anthropic-messages': (type, message) => ({ type: 'error', error: { type, message } }),
  gemini: (type, message) => ({ error: { code: 400, message, status: type.toUpperCase() } }),
  'bedrock-converse': (_type, message) => ({ message }),
};

const USAGE_FIELDS: ReadonlySet<string> = new Set(['usage', 'usageMetadata']);

function changed(json: unknown, change: (usage: object) => unknown): unknown {
  if (Array.isArray(json)) return json.map((each) => changed(each, change));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      if (!USAGE_FIELDS.has(name) || value === null) return [[name, changed(value, change)]];
      const next = change(value as object);
      return next === undefined ? [] : [[name, next]];
    }),
  );
}

/** Of a binary stream only the last frame has a usage, and the one before it a reason. */
function mapJson({ frames, format }: GoodAnswer, change: (json: unknown) => unknown): readonly AnswerFrame[] {
  if (format === 'bedrock-converse') {
    const [usage, stop] = [change(CONVERSE_END.metadata), change(CONVERSE_END.messageStop)];
    return [
      ...frames.slice(0, -2),
      encodeEvent('messageStop', stop as object),
      encodeEvent('metadata', usage as object),
    ];
  }
  return frames.map((frame) =>
    String(frame).replace(
      /^data: (\{.*\})$/gm,
      (_, json: string) => `data: ${JSON.stringify(change(JSON.parse(json)))}`,
    ),
  );
}

const CONVERSE_END = {
  messageStop: { stopReason: 'end_turn' },
  metadata: { usage: { inputTokens: 5, outputTokens: 4, totalTokens: 9 } },
} as const;
