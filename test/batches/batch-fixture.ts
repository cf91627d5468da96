/** Batches as callers make them: an input of lines, a file of it, and what has come of it in the end. */
import assert from 'node:assert/strict';

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface BatchJson {
  readonly id: string;
  readonly status: string;
  readonly input_file_id: string;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly errors: { readonly data: readonly { readonly code: string; readonly line: number | null }[] } | null;
  readonly model: string | null;
  readonly usage: UsageJson | null;
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number };
}

export interface UsageJson {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

export interface ResultJson {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: { readonly error?: { readonly message: string }; readonly [name: string]: unknown };
  } | null;
  readonly error: { readonly code: string } | null;
}

export const CHAT = '/v1/chat/completions';

/** With the key of the caller. */
export function asker(url: string, key: string): Ask {
  return (path, init = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
}

/** `bodies` in order; ids are `line-0`, `line-1`, …. */
export function inputOf(bodies: readonly object[], url = CHAT): string {
  return bodies
    .map((body, at) => `${JSON.stringify({ custom_id: `line-${at}`, method: 'POST', url, body })}\n`)
    .join('');
}

export async function upload(ask: Ask, input: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([input]), 'input.jsonl');
  const { id } = await json<{ id: string }>(await ask('/v1/files', { method: 'POST', body: form }));
  return id;
}

export async function createBatch(ask: Ask, fileId: string, endpoint = CHAT): Promise<BatchJson> {
  return json(
    await ask('/v1/batches', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input_file_id: fileId, endpoint, completion_window: '24h' }),
    }),
  );
}

/** `advance` moves the clock of a test, if it has one. */
export async function awaitEnd(ask: Ask, id: string, advance: () => void = () => undefined): Promise<BatchJson> {
  for (let time = 0; time < 10_000; time += 1) {
    const batch = await json<BatchJson>(await ask(`/v1/batches/${id}`));
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch;
    advance();
    await pause(20);
  }
  throw new Error('the batch has not ended');
}

/** As long as a provider takes, or between two questions of a caller. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(() => done(), ms));
}

/** The lines of a file of results; none without a file. */
export async function results(ask: Ask, fileId: string | null): Promise<readonly ResultJson[]> {
  if (fileId === null) return [];
  const answer = await ask(`/v1/files/${fileId}/content`);
  assert.equal(answer.status, 200);
  const lines = (await answer.text()).split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line) as ResultJson);
}

/** The sum of what answers of chat completions say. */
export function usageOf(answers: readonly ResultJson[]): UsageJson {
  const usages = answers.map(({ response }) => response?.body['usage'] as ChatUsage);
  const sum = (read: (usage: ChatUsage) => number | undefined) =>
    usages.reduce((total, usage) => total + (read(usage) ?? 0), 0);
  const [input, output] = [sum((usage) => usage.prompt_tokens), sum((usage) => usage.completion_tokens)];
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: sum((usage) => usage.prompt_tokens_details?.cached_tokens) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: sum((usage) => usage.completion_tokens_details?.reasoning_tokens) },
    total_tokens: input + output,
  };
}

interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number };
}

export async function json<Value>(answer: Response): Promise<Value> {
  const value = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(value));
  return value as Value;
}
