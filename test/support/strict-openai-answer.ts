/** A plan as a chat completion, whole and as a stream. */
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

export interface Wording {
  readonly routes: boolean;
  /** The names of the custom tools of the request. */
  readonly customTools: ReadonlySet<unknown>;
}

export function wholeCompletion(plan: Plan, model: string, { routes, customTools }: Wording): JsonObject {
  const calls = callsOf(plan, customTools);
  const message = {
    role: 'assistant',
    content: plan.text === '' ? null : plan.text,
    refusal: plan.refusal,
    ...(plan.thinking === null ? {} : thoughtOf(plan.thinking, routes)),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(plan.citations === 0 ? {} : { annotations: annotationsOf(plan) }),
  };
  return {
    ...head(model),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(plan) }],
    usage: usageOf(plan),
  };
}

export function completionFrames(
  plan: Plan,
  model: string,
  { routes, customTools, usage }: Wording & { readonly usage: boolean },
): readonly string[] {
  const shared = { ...head(model), object: 'chat.completion.chunk' };
  const none = usage ? { usage: null } : {};
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    data({ ...shared, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...none });
  const frames = [chunk({ role: 'assistant', content: '', refusal: null })];
  for (const piece of pieces(plan.thinking ?? '')) frames.push(chunk(thoughtPiece(piece, routes)));
  if (plan.thinking !== null && routes) {
    const signature = sign(plan.thinking);
    frames.push(chunk({ reasoning_details: [{ ...DETAIL, signature }] }));
  }
  for (const content of pieces(plan.text)) frames.push(chunk({ content }));
  for (const annotation of annotationsOf(plan)) frames.push(chunk({ annotations: [annotation] }));
  for (const refusal of pieces(plan.refusal ?? '')) frames.push(chunk({ refusal }));
  callsOf(plan, customTools).forEach(({ id, type, ...call }, index) => {
    const said = 'custom' in call ? call.custom : call.function;
    const [field, text] = 'input' in said ? ['input', said.input] : ['arguments', said.arguments];
    frames.push(chunk({ tool_calls: [{ index, id, type, [type]: { name: said.name, [field]: '' } }] }));
    for (const piece of fragments(text)) frames.push(chunk({ tool_calls: [{ index, [type]: { [field]: piece } }] }));
  });
  if (plan.end !== 'end') return frames;
  frames.push(chunk({}, finishOf(plan)));
  if (usage) frames.push(data({ ...shared, choices: [], usage: usageOf(plan) }));
  frames.push('data: [DONE]\n\n');
  return frames;
}

function head(model: string): JsonObject {
  return { id: 'chatcmpl-strict', created: 1_790_000_000, model, system_fingerprint: 'fp_strict' };
}

function annotationsOf({ citations }: Plan): readonly JsonObject[] {
  return Array.from({ length: citations }, (_, index) => ({
    type: 'url_citation',
    url_citation: {
      url: `https://pages.example/${index + 1}`,
      title: `Page ${index + 1}`,
      start_index: 0,
      end_index: 0,
    },
  }));
}

/** As OpenRouter represents a thought of a Claude model; others have only its text, in DeepSeek's field. */
const DETAIL = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };

function thoughtOf(text: string, routes: boolean): JsonObject {
  if (!routes) return { reasoning_content: text };
  return { reasoning: text, reasoning_details: [{ ...DETAIL, text, signature: sign(text) }] };
}

function thoughtPiece(text: string, routes: boolean): JsonObject {
  return routes ? { reasoning: text, reasoning_details: [{ ...DETAIL, text }] } : { reasoning_content: text };
}

let calls = 0;

function callsOf(plan: Plan, customTools: ReadonlySet<unknown>) {
  return plan.calls.map(({ name, input }) => {
    calls += 1;
    const id = `call_${String(calls).padStart(24, '0')}`;
    if (customTools.has(name)) return { id, type: 'custom', custom: { name, input: String(input?.['input'] ?? '') } };
    return { id, type: 'function', function: { name, arguments: input === null ? '' : JSON.stringify(input) } };
  });
}

function finishOf({ finish }: Plan): string {
  return { end: 'stop', calls: 'tool_calls', cap: 'length', stop: 'stop', refusal: 'stop' }[finish];
}

function usageOf(plan: Plan): JsonObject {
  const read = plan.cached ? CACHE_READ_TOKENS : 0;
  const written = plan.cached ? CACHE_WRITE_TOKENS : 0;
  const prompt = PROMPT_TOKENS + read + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens(plan),
    total_tokens: prompt + outputTokens(plan),
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens(plan), audio_tokens: 0 },
  };
}

function data(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
