/** A plan as an answer of Converse, whole and as a binary stream that Amazon's package writes. */
import { EventStreamCodec } from '@smithy/eventstream-codec';
import {
  CACHE_READ_TOKENS,
  CACHE_WRITE_TOKENS,
  fragments,
  outputTokens,
  type Plan,
  PROMPT_TOKENS,
  pieces,
  sign,
} from './strict-commands.ts';
import type { JsonObject } from './strict-server.ts';

export const EVENT_STREAM = 'application/vnd.amazon.eventstream';

export function wholeMessage(plan: Plan, hidesThinking: boolean): JsonObject {
  return {
    metrics: { latencyMs: 12 },
    output: { message: { role: 'assistant', content: blocksOf(plan, hidesThinking) } },
    ...stopOf(plan, 'whole'),
    usage: usageOf(plan),
  };
}

export function messageFrames(plan: Plan, hidesThinking: boolean): readonly Buffer[] {
  const frames = [eventFrame('messageStart', { role: 'assistant' })];
  blocksOf(plan, hidesThinking).forEach((block, index) => {
    frames.push(...blockFrames(block, index));
  });
  // A message that breaks off has not closed its last block.
  if (plan.end !== 'end') return frames.slice(0, -1);
  frames.push(eventFrame('messageStop', stopOf(plan, 'streamed')));
  frames.push(eventFrame('metadata', { metrics: { latencyMs: 12 }, usage: usageOf(plan) }));
  return frames;
}

export function exceptionFrame(type: string, message: string): Buffer {
  return frame({ ':exception-type': type, ':message-type': 'exception' }, { message });
}

function eventFrame(type: string, payload: JsonObject): Buffer {
  // The padding hides how long the words are.
  return frame(
    { ':event-type': type, ':message-type': 'event' },
    { ...payload, p: 'abcdefghij'.slice(type.length % 9) },
  );
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

function frame(strings: Readonly<Record<string, string>>, payload: JsonObject): Buffer {
  const all = Object.entries({ ...strings, ':content-type': 'application/json' });
  const headers = Object.fromEntries(all.map(([name, value]) => [name, { type: 'string' as const, value }]));
  return Buffer.from(codec.encode({ headers, body: Buffer.from(JSON.stringify(payload)) }));
}

let calls = 0;

/** One of its fields is set. */
interface Block {
  readonly text?: string;
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: JsonObject };
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text: string; readonly signature: string };
    readonly redactedContent?: string;
  };
  readonly citationsContent?: {
    readonly content: readonly { readonly text: string }[];
    readonly citations: readonly JsonObject[];
  };
}

function blocksOf(plan: Plan, hidesThinking: boolean): readonly Block[] {
  const blocks: Block[] = [];
  if (plan.thinking !== null) {
    const text = hidesThinking ? '' : plan.thinking;
    blocks.push({ reasoningContent: { reasoningText: { text, signature: sign(plan.thinking) } } });
  }
  if (plan.redacted)
    blocks.push({ reasoningContent: { redactedContent: Buffer.from(sign('redacted')).toString('base64') } });
  const text = plan.refusal ?? plan.text;
  if (text !== '') blocks.push(plan.citations === 0 ? { text } : citedBlock(text, plan.citations));
  for (const { name, input } of plan.calls) {
    calls += 1;
    blocks.push({ toolUse: { toolUseId: `tooluse_${String(calls).padStart(22, '0')}`, name, input: input ?? {} } });
  }
  return blocks;
}

function citedBlock(text: string, count: number): Block {
  const citations = Array.from({ length: count }, (_, index) => ({
    title: `Page ${index + 1}`,
    sourceContent: [{ text: 'words' }],
    location: { web: { url: `https://pages.example/${index + 1}`, domain: 'pages.example' } },
  }));
  return { citationsContent: { content: [{ text }], citations } };
}

function blockFrames(block: Block, contentBlockIndex: number): readonly Buffer[] {
  const delta = (value: JsonObject) => eventFrame('contentBlockDelta', { contentBlockIndex, delta: value });
  const close = eventFrame('contentBlockStop', { contentBlockIndex });
  const { toolUse, reasoningContent, citationsContent } = block;
  if (toolUse !== undefined) {
    const { input, ...start } = toolUse;
    const json = Object.keys(input).length === 0 ? '' : JSON.stringify(input);
    return [
      eventFrame('contentBlockStart', { contentBlockIndex, start: { toolUse: start } }),
      ...['', ...fragments(json)].map((part) => delta({ toolUse: { input: part } })),
      close,
    ];
  }
  if (citationsContent !== undefined) {
    const words = pieces(citationsContent.content[0]?.text ?? '').map((text) => delta({ text }));
    return [...words, ...citationsContent.citations.map((citation) => delta({ citation })), close];
  }
  if (reasoningContent === undefined) return [...pieces(block.text ?? '').map((text) => delta({ text })), close];
  const { reasoningText, redactedContent } = reasoningContent;
  if (reasoningText === undefined) return [delta({ reasoningContent: { redactedContent } }), close];
  return [
    ...pieces(reasoningText.text).map((text) => delta({ reasoningContent: { text } })),
    delta({ reasoningContent: { signature: reasoningText.signature } }),
    close,
  ];
}

function stopOf({ finish, stopSequence }: Plan, how: 'whole' | 'streamed'): JsonObject {
  const reasons = {
    end: 'end_turn',
    calls: 'tool_use',
    cap: 'max_tokens',
    stop: 'stop_sequence',
    refusal: 'guardrail_intervened',
  };
  const stop = { stop_sequence: stopSequence };
  return {
    stopReason: reasons[finish],
    additionalModelResponseFields: how === 'whole' ? stop : { delta: stop },
  };
}

function usageOf(plan: Plan): JsonObject {
  const read = plan.cached ? CACHE_READ_TOKENS : 0;
  const written = plan.cached ? CACHE_WRITE_TOKENS : 0;
  const output = outputTokens(plan);
  return {
    inputTokens: PROMPT_TOKENS,
    outputTokens: output,
    totalTokens: PROMPT_TOKENS + read + written + output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    cacheDetails: plan.cached ? [{ ttl: '5m', inputTokens: written }] : [],
  };
}
