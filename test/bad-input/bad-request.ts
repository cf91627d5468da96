/** Raw requests for the bad-input tests: what is sent, and what must happen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpMessage } from '../support/http-reader.ts';
import { statusOf } from '../support/raw-connection.ts';
import { type Bench, SCRIPTED_CREDENTIAL, SCRIPTED_MODEL } from '../support/start-gateway-with-upstream.ts';

export const CHAT = '/api/v1/chat/completions';
export const MESSAGES = '/v1/messages';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  /** Header lines as they are sent; host, key, type and length are added, all correct. */
  readonly headers?: readonly string[];
  /** Further header lines, after the ones above. */
  readonly more?: readonly string[];
  readonly body?: string | Buffer;
}

export interface BadCase {
  readonly what: string;
  /** The bytes to send, given the key. */
  readonly send: (key: string) => Buffer;
  /** Any of these is correct; null means the connection may close without an answer. */
  readonly status: readonly (number | null)[];
  /** `error.code` in the OpenAI format, where it is fixed. */
  readonly code?: string;
  /** Whether the connection must be closed after the answer. */
  readonly closes?: boolean;
}

export function chatBody(fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ model: SCRIPTED_MODEL, messages: [{ role: 'user', content: 'hi' }], ...fields });
}

export function messagesBody(fields: Readonly<Record<string, unknown>> = {}): string {
  return chatBody({ max_tokens: 10, ...fields });
}

export function goodHeaders(key: string, bodyBytes: number): string[] {
  return [
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${bodyBytes}`,
  ];
}

export function rawRequest(key: string, request: RawRequest = {}): Buffer {
  const body = Buffer.from(request.body ?? chatBody());
  const headers = [...(request.headers ?? goodHeaders(key, body.length)), ...(request.more ?? [])];
  const start = `${request.method ?? 'POST'} ${request.path ?? CHAT} HTTP/${request.version ?? '1.1'}`;
  return Buffer.concat([Buffer.from(`${[start, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Each case is a test: the correct answer, no call to the provider, and the process keeps serving. */
export function testBadCases(bench: () => Bench, cases: readonly BadCase[]): void {
  for (const bad of cases) {
    test(bad.what, async () => {
      const { gateway, upstream } = bench();
      const called = upstream.exchanges.length;
      const connection = await gateway.connect();
      // The gateway may answer and close before everything is sent; only its answer is checked, not how far sending got.
      void connection.write(bad.send(gateway.key));
      const answer = await connection.answer();
      assert.ok(
        bad.status.includes(statusOf(answer)),
        `${statusOf(answer)} is not among ${bad.status.join(', ')}: ${answer?.body.toString().slice(0, 200)}`,
      );
      if (answer !== null) checkErrorBody(answer, bad);
      if (bad.closes === true) await connection.closed();
      else connection.close();
      assert.equal(upstream.exchanges.length, called, 'no provider was called');
      await assertHealthy(bench());
    });
  }
}

export async function assertHealthy({ gateway }: Bench): Promise<void> {
  assert.equal(gateway.process.exitCode, null, 'the process is alive');
  const ready = await fetch(`${gateway.url}/health/ready`);
  await ready.arrayBuffer();
  assert.equal(ready.status, 200);
}

function checkErrorBody(answer: HttpMessage, bad: BadCase): void {
  const text = answer.body.toString();
  assert.ok(!text.includes(SCRIPTED_CREDENTIAL));
  if (bad.code === undefined) return;
  const body = JSON.parse(text) as { error: { code?: string; message: string } };
  assert.equal(body.error.code, bad.code, text);
  assert.ok(body.error.message.length > 0);
}
