/** How both strict providers get from a request to an answer: the command they receive, and the plan they carry out. */
import type { ServerResponse } from 'node:http';
import { numberOf, type Plan } from './strict-commands.ts';
import { type JsonObject, listOf, Refusal, sendJson, sendStream } from './strict-server.ts';

/** The texts of a message, or of a tool's result. */
export function textOf(message: JsonObject | undefined): string {
  const content = message?.['content'];
  if (typeof content === 'string') return content;
  const texts = listOf(content).filter((part) => /^(input_|output_)?text$/.test(String(part['type'])));
  return texts.map((part) => String(part['text'])).join('\n');
}

/** The last line of the last user message with text, and the messages after it. */
export function commandIn(messages: readonly JsonObject[]): { command: string; since: readonly JsonObject[] } {
  const at = messages.findLastIndex((message) => message['role'] === 'user' && textOf(message) !== '');
  const command = at === -1 ? '' : (textOf(messages[at]).split('\n').at(-1) ?? '');
  return { command, since: messages.slice(at + 1) };
}

type Details = ConstructorParameters<typeof Refusal>[2];

/** `overflow` is a vendor's refusal of a prompt that is too long, `detailsOf` what it adds to a status. */
export function refuseOnCommand(command: string, overflow: Refusal, detailsOf: (status: number) => Details): void {
  if (command === 'overflow') throw overflow;
  const status = numberOf(command, 'status');
  if (status === null) return;
  const headers: Readonly<Record<string, string>> = status === 429 ? { 'retry-after': '17' } : {};
  throw new Refusal(status, 'as it was asked', { ...detailsOf(status), headers });
}

/** A plan in a format's fields. */
export interface Wording {
  frames(): readonly (string | Buffer)[];
  whole(): JsonObject;
  /** The error of a failing provider, before an answer and in a stream. */
  readonly failure: Refusal;
  failureFrame(): string | Buffer;
  /** Of a stream, if it is not of server-sent events. */
  readonly contentType?: string;
}

/** Sends the plan as far as it goes; throws its failure if nothing was sent yet. */
export async function carryOut(
  plan: Plan,
  wording: Wording,
  streamed: boolean,
  response: ServerResponse,
): Promise<void> {
  if (streamed) {
    const { contentType } = wording;
    if (plan.end !== 'error') return sendStream(response, wording.frames(), plan.end, contentType);
    return sendStream(response, [...wording.frames(), wording.failureFrame()], 'end', contentType);
  }
  if (plan.end === 'error') throw wording.failure;
  if (plan.end === 'break') return void response.destroy();
  if (plan.end === 'end') sendJson(response, wording.whole());
}
