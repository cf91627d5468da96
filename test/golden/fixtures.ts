/**
 * The material of the golden tests, one list per role of a dialect: requests of its callers and answers of its providers. The neutral
 * requests and answers are the same for all.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ChatRequest } from '../../src/chat/request.ts';
import type { ChatEvent, ChatResponse } from '../../src/chat/response.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../src/dialects/index.ts';
import type { RequestPath } from '../../src/dialects/interface/inbound.ts';
import { encodeEventLines } from '../support/event-stream.ts';
import { encodeStream } from './encode-stream.ts';
import { eventsOf } from './neutral-events.ts';
import { fullRequest, fullResponse } from './short-form.ts';

/** One request in one format that tests one thing. */
export interface RequestFixture {
  readonly from: CallerDialectName;
  readonly name: string;
  /** What it is about, as words that fit into a list. */
  readonly about: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** For a format that puts something into its path; otherwise absent. */
  readonly at?: Partial<RequestPath>;
}

/** A request in the neutral form. */
export interface NeutralRequest {
  readonly name: string;
  readonly about: string;
  readonly request: ChatRequest;
}

/** An answer as a provider sends it: a stream, or a whole one. */
export interface AnswerFixture {
  readonly from: ProviderDialectName;
  readonly name: string;
  readonly streamed: boolean;
  readonly bytes: Buffer;
  /** What it is about, as words that fit into a list; null for those of the dialects' own tests. */
  readonly about: string | null;
}

/** An answer in the neutral form; `response` is null if it can only be streamed. */
export interface NeutralAnswer {
  readonly name: string;
  readonly about: string;
  readonly response: ChatResponse | null;
  readonly events: readonly ChatEvent[];
  /** Whether its caller asked to see the model's thinking. */
  readonly showsReasoning: boolean;
}

export const callerNames = Object.keys(callerDialects) as CallerDialectName[];
export const providerNames = Object.keys(providerDialects) as ProviderDialectName[];
/** Those with both roles: what is written in them can be read again. */
export type BothName = CallerDialectName & ProviderDialectName;
export const bothNames: readonly BothName[] = callerNames.filter((name) => isBoth(name));

export function isBoth(name: CallerDialectName | ProviderDialectName): name is BothName {
  return Object.hasOwn(callerDialects, name) && Object.hasOwn(providerDialects, name);
}

export function requestFixtures(from: CallerDialectName): readonly RequestFixture[] {
  return jsonIn(`requests/${from}/`).map(({ name, json: { about, request, at } }) => {
    return { from, name, about: about as string, request: request as RequestFixture['request'], ...(at && { at }) };
  });
}

export function neutralRequests(): readonly NeutralRequest[] {
  return jsonIn('neutral/requests/').map(({ name, json: { about, request } }) => {
    return { name, about: about as string, request: fullRequest(request) };
  });
}

/** Whole answers and streams, each with something of its own; a stream is a list of the payloads of its events. */
export function ownAnswers(from: ProviderDialectName): readonly AnswerFixture[] {
  return jsonIn(`answers/${from}/`).map(({ name, json: { about, answer, stream } }) => {
    const streamed = stream !== undefined;
    const payloads = (stream ?? []).map((payload: unknown) => JSON.stringify(payload));
    const bytes = streamed ? encodeStream(from, payloads) : Buffer.from(JSON.stringify(answer));
    return { from, name, streamed, bytes, about: about as string };
  });
}

export function answerFixtures(from: ProviderDialectName): readonly AnswerFixture[] {
  const folder = new URL(`../../src/dialects/${from}/fixtures/`, import.meta.url);
  const own = namesIn(folder, /\.(json|sse|events)$/).map((name) => ({
    from,
    name,
    streamed: !name.endsWith('.json'),
    bytes: bytesOf(new URL(name, folder)),
    about: null,
  }));
  return [...own, ...ownAnswers(from)];
}

/** Of a binary stream, the fixture has the lines. */
function bytesOf(file: URL): Buffer {
  const bytes = readFileSync(file);
  return file.pathname.endsWith('.events') ? encodeEventLines(bytes.toString()) : bytes;
}

export function neutralAnswers(): readonly NeutralAnswer[] {
  return jsonIn('neutral/answers/').map(({ name, json: { about, response: short, events, showsReasoning = true } }) => {
    const response = short === undefined ? null : fullResponse(short);
    return { name, about: about as string, response, events: eventsOf(response, events), showsReasoning };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the fixtures are written by hand, and read by the types above.
function jsonIn(path: string): readonly { readonly name: string; readonly json: any }[] {
  const folder = new URL(path, import.meta.url);
  return namesIn(folder, /\.json$/).map((file) => {
    return { name: file.replace('.json', ''), json: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) };
  });
}

/** None if there is no such folder: a dialect may still be without fixtures of a kind. */
function namesIn(folder: URL, ending: RegExp): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => ending.test(name))
        .sort()
    : [];
}
