/** A plan as a response, whole and as a stream, with every event that OpenAI sends. */
import {
  CACHE_READ_TOKENS,
  CACHE_WRITE_TOKENS,
  fragments,
  outputTokens,
  type Plan,
  PROMPT_TOKENS,
  pieces,
  reasoningTokens,
} from './strict-commands.ts';
import { encrypt } from './strict-responses-input.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

export function wholeResponse(plan: Plan, body: JsonObject): JsonObject {
  return response(plan, body, itemsOf(plan, body), statusOf(plan));
}

export function responseFrames(plan: Plan, body: JsonObject): readonly string[] {
  const items = itemsOf(plan, body);
  const begun = response(plan, body, [], 'in_progress');
  const events: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, output_index) => eventsOf(item, output_index)),
  ];
  const status = statusOf(plan);
  if (plan.end === 'end') events.push({ type: `response.${status}`, response: response(plan, body, items, status) });
  return events.map((event, sequence_number) => {
    const data = JSON.stringify({ ...event, sequence_number });
    return `event: ${String(event['type'])}\ndata: ${data}\n\n`;
  });
}

let made = 0;

function newId(prefix: string): string {
  made += 1;
  return `${prefix}_${String(made).padStart(24, '0')}`;
}

function response(plan: Plan, body: JsonObject, output: readonly JsonObject[], status: string): JsonObject {
  const isOver = status !== 'in_progress';
  return {
    id: 'resp_strict',
    object: 'response',
    created_at: 1_790_000_000,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    model: body['model'],
    output,
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: isOver ? usageOf(plan) : null,
    user: null,
    metadata: {},
  };
}

function statusOf({ finish }: Plan): string {
  return finish === 'cap' ? 'incomplete' : 'completed';
}

function itemsOf(plan: Plan, body: JsonObject): readonly JsonObject[] {
  const items: JsonObject[] = [];
  const { reasoning, include } = body;
  const isShown = isObject(reasoning) && reasoning['summary'] !== undefined;
  const thought = (text: string, summary: readonly JsonObject[]): JsonObject => {
    const id = newId('rs');
    return {
      id,
      type: 'reasoning',
      summary,
      ...(Array.isArray(include) ? { encrypted_content: encrypt(id, text, body) } : {}),
    };
  };
  if (plan.thinking !== null) {
    items.push(thought(plan.thinking, isShown ? [{ type: 'summary_text', text: plan.thinking }] : []));
  }
  if (plan.redacted) items.push(thought('', []));
  if (plan.text !== '')
    items.push(message({ type: 'output_text', annotations: annotationsOf(plan), logprobs: [], text: plan.text }));
  if (plan.refusal !== null) items.push(message({ type: 'refusal', refusal: plan.refusal }));
  for (const { name, input } of plan.calls) {
    const isCustom = listOf(body['tools']).some((tool) => tool['type'] === 'custom' && tool['name'] === name);
    const said = isCustom
      ? { type: 'custom_tool_call', input: String(input?.['input'] ?? '') }
      : { type: 'function_call', arguments: input === null ? '' : JSON.stringify(input) };
    items.push({ id: newId(isCustom ? 'ctc' : 'fc'), ...said, status: 'completed', call_id: newId('call'), name });
  }
  return items;
}

function message(part: JsonObject): JsonObject {
  return { id: newId('msg'), type: 'message', status: 'completed', role: 'assistant', content: [part] };
}

function annotationsOf({ citations }: Plan): readonly JsonObject[] {
  return Array.from({ length: citations }, (_, index) => ({
    type: 'url_citation',
    url: `https://pages.example/${index + 1}`,
    title: `Page ${index + 1}`,
    start_index: 0,
    end_index: 1,
  }));
}

function eventsOf(item: JsonObject, output_index: number): readonly JsonObject[] {
  const { id: item_id, type } = item;
  const at = { item_id, output_index };
  const added = (begun: JsonObject): JsonObject => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...(type === 'reasoning' ? {} : { status: 'in_progress' }), ...begun },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  if (type === 'message') return [added({ content: [] }), ...partEvents(listOf(item['content'])[0] ?? {}, at), done];
  if (type === 'reasoning') {
    const summaries = listOf(item['summary']).flatMap((part, index) =>
      summaryEvents(part, { ...at, summary_index: index }),
    );
    return [added({ summary: [] }), ...summaries, done];
  }
  const [field, name] =
    type === 'function_call'
      ? ['arguments', 'response.function_call_arguments']
      : ['input', 'response.custom_tool_call_input'];
  const said = String(item[field as string]);
  return [
    added({ [field as string]: '' }),
    ...fragments(said).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
    { type: `${name}.done`, ...at, [field as string]: said },
    done,
  ];
}

function partEvents(part: JsonObject, of: JsonObject): readonly JsonObject[] {
  const at = { ...of, content_index: 0 };
  const isText = part['type'] === 'output_text';
  const field = isText ? 'text' : 'refusal';
  const said = String(part[field]);
  const name = isText ? 'response.output_text' : 'response.refusal';
  return [
    {
      type: 'response.content_part.added',
      ...at,
      part: { ...part, [field]: '', ...(isText ? { annotations: [] } : {}) },
    },
    ...pieces(said).map((delta) => ({
      type: `${name}.delta`,
      ...at,
      delta,
      ...(isText ? { logprobs: [], obfuscation: 'xYz' } : {}),
    })),
    ...listOf(part['annotations']).map((annotation, annotation_index) => ({
      ...{ type: 'response.output_text.annotation.added', ...at, annotation_index, annotation },
    })),
    { type: `${name}.done`, ...at, [field]: said, ...(isText ? { logprobs: [] } : {}) },
    { type: 'response.content_part.done', ...at, part },
  ];
}

function summaryEvents(part: JsonObject, at: JsonObject): readonly JsonObject[] {
  const text = String(part['text']);
  const name = 'response.reasoning_summary_text';
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    ...pieces(text).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
    { type: `${name}.done`, ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ];
}

function usageOf(plan: Plan): JsonObject {
  const read = plan.cached ? CACHE_READ_TOKENS : 0;
  const written = plan.cached ? CACHE_WRITE_TOKENS : 0;
  const input_tokens = PROMPT_TOKENS + read + written;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    output_tokens: outputTokens(plan),
    output_tokens_details: { reasoning_tokens: reasoningTokens(plan) },
    total_tokens: input_tokens + outputTokens(plan),
  };
}
