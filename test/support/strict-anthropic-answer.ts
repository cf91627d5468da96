/** A plan as a message of the Messages API, whole and as a stream. */
import {
  CACHE_READ_TOKENS,
  CACHE_WRITE_TOKENS,
  fragments,
  outputTokens,
  type Plan,
  PROMPT_TOKENS,
  pieces,
  reasoningTokens,
  sign,
} from './strict-commands.ts';
import type { JsonObject } from './strict-server.ts';

export function wholeMessage(plan: Plan, model: string, hidesThinking: boolean): JsonObject {
  const stop = stopOf(plan);
  return {
    ...head(model),
    content: blocksOf(plan, hidesThinking),
    ...stop,
    usage: { ...promptUsage(plan), ...outputUsage(plan) },
  };
}

export function messageFrames(plan: Plan, model: string, hidesThinking: boolean): readonly string[] {
  const usage = { ...promptUsage(plan), output_tokens: 1 };
  const message = { ...head(model), content: [], stop_reason: null, stop_sequence: null, usage };
  const frames = [frame('message_start', { message }), frame('ping', {})];
  blocksOf(plan, hidesThinking).forEach((block, index) => {
    frames.push(...blockFrames(block, index));
  });
  if (plan.end !== 'end') {
    // A message that breaks off has not closed its last block.
    return frames.slice(0, -1);
  }
  const { stop_reason, stop_sequence, stop_details } = stopOf(plan);
  const delta = { stop_reason, stop_sequence, stop_details };
  frames.push(frame('message_delta', { delta, usage: { ...promptUsage(plan), ...outputUsage(plan) } }));
  frames.push(frame('message_stop', {}));
  return frames;
}

function head(model: string): JsonObject {
  return { id: 'msg_strict', type: 'message', role: 'assistant', model };
}

type Block =
  | { readonly type: 'text'; readonly text: string; readonly citations: readonly JsonObject[] | null }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject };

let calls = 0;

function blocksOf(plan: Plan, hidesThinking: boolean): readonly Block[] {
  const blocks: Block[] = [];
  if (plan.thinking !== null) {
    const thinking = hidesThinking ? '' : plan.thinking;
    blocks.push({ type: 'thinking', thinking, signature: sign(plan.thinking) });
  }
  if (plan.redacted) blocks.push({ type: 'redacted_thinking', data: sign('redacted') });
  const text = plan.refusal ?? plan.text;
  if (text !== '') blocks.push({ type: 'text', text, citations: citationsOf(plan) });
  for (const { name, input } of plan.calls) {
    calls += 1;
    blocks.push({ type: 'tool_use', id: `toolu_${String(calls).padStart(24, '0')}`, name, input: input ?? {} });
  }
  return blocks;
}

function citationsOf({ citations }: Plan): readonly JsonObject[] | null {
  if (citations === 0) return null;
  return Array.from({ length: citations }, (_, index) => ({
    type: 'web_search_result_location',
    url: `https://pages.example/${index + 1}`,
    title: `Page ${index + 1}`,
    encrypted_index: 'opaque',
    cited_text: 'words',
  }));
}

function blockFrames(block: Block, index: number): readonly string[] {
  const open = (content_block: JsonObject) => frame('content_block_start', { index, content_block });
  const delta = (value: JsonObject) => frame('content_block_delta', { index, delta: value });
  const close = frame('content_block_stop', { index });
  switch (block.type) {
    case 'text':
      return [
        open({ ...block, text: '', citations: block.citations === null ? null : [] }),
        ...pieces(block.text).map((text) => delta({ type: 'text_delta', text })),
        ...(block.citations ?? []).map((citation) => delta({ type: 'citations_delta', citation })),
        close,
      ];
    case 'thinking':
      return [
        open({ ...block, thinking: '', signature: '' }),
        ...pieces(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        close,
      ];
    case 'redacted_thinking':
      return [open(block), close];
    case 'tool_use': {
      const json = Object.keys(block.input).length === 0 ? '' : JSON.stringify(block.input);
      const parts = ['', ...fragments(json)];
      return [
        open({ ...block, input: {} }),
        ...parts.map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
        close,
      ];
    }
  }
}

function stopOf({ finish, stopSequence, refusal }: Plan) {
  const reasons = { end: 'end_turn', calls: 'tool_use', cap: 'max_tokens', stop: 'stop_sequence', refusal: 'refusal' };
  return {
    stop_reason: reasons[finish],
    stop_sequence: stopSequence,
    stop_details: refusal === null ? null : { type: 'refusal', category: 'policy', explanation: refusal },
  };
}

function promptUsage({ cached }: Plan): JsonObject {
  const written = cached ? CACHE_WRITE_TOKENS : 0;
  return {
    input_tokens: PROMPT_TOKENS,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached ? CACHE_READ_TOKENS : 0,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
  };
}

function outputUsage(plan: Plan): JsonObject {
  return {
    output_tokens: outputTokens(plan),
    output_tokens_details: { thinking_tokens: reasoningTokens(plan) },
  };
}

function frame(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
