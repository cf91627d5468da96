/** What the gateway does with a request's bytes, and with an answer's: each stage works on the result of an earlier one. */

import { prepareBody } from '../../src/capture/prepare-body.ts';
import { redact } from '../../src/capture/redact.ts';
import type { ChatRequest } from '../../src/chat/request.ts';
import type { ChatEvent } from '../../src/chat/response.ts';
import { bytesOf } from '../../src/core/body.ts';
import { GatewayError } from '../../src/core/errors.ts';
import {
  type AnyCallerDialect,
  type AnyProviderDialect,
  callerDialects,
  isRelayDialect,
  operationFormats,
  providerDialects,
  relayDialects,
} from '../../src/dialects/index.ts';
import { type CallerPath, requestPath } from '../../src/dialects/interface/caller-path.ts';
import type { Inbound } from '../../src/dialects/interface/inbound.ts';
import type { Peek } from '../../src/dialects/interface/peek.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { NO_MEDIA } from '../../src/dialects/kit/media/inline-media.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Frame } from '../../src/wire/frames/frame.ts';
import { framings } from '../../src/wire/frames/framings.ts';
import { JsonScan } from '../../src/wire/json-scan.ts';
import { framingOf } from '../golden/framing-of.ts';
import { targetsOf } from '../golden/targets.ts';

/** Its steps in their order, by name. Each runs at its first call, with the earlier ones that it needs, if they have not run. */
export type Stages = Readonly<Record<string, () => unknown>>;

/** The stages on whose results later ones work. */
export const SHARED: ReadonlySet<string> = new Set(['scan', 'peek', 'read', 'split']);

/** As the socket delivers them. */
const CHUNK_BYTES = 16 * 1024;
const PEEK = { model: 'm', wantsUsage: true, choices: 1, media: NO_MEDIA } as unknown as Peek;

export function requestStages(bytes: Buffer, dialect: AnyCallerDialect, path: CallerPath): Stages {
  const operation: Operation = operations[path.operation];
  const asked = once(() => inbound(bytes, dialect, path));
  const peeked = once(() => operation.peek(dialect, asked()));
  const request = once(() => dialect.readRequest(asked()));
  return {
    scan: asked,
    peek: peeked,
    relay: () => {
      if (!isRelayDialect(dialect)) return;
      const edits = { model: 'n', outputCap: null, quirks: dialect.usualQuirks ?? {}, operation: operation.name };
      if (operation.isPaid) operation.patchRequest(dialect, asked(), peeked(), edits);
      else dialect.patchRequest(asked(), peeked(), edits);
    },
    ...((operation.form?.(dialect) ?? null) === null && writeInFormats(operation, asked, peeked)),
    ...(operation.isTranslated && {
      read: request,
      ...forEachProvider((provider) => write(operation, request(), provider)),
    }),
    capture: () => prepareBody(bytes, false, true),
    redact: () => redact(bytes.toString()),
    ...(dialect.lastSigner !== undefined && { signer: () => dialect.lastSigner?.(asked().document) }),
  };
}

/** For the providers that have the operation in a format of their own. */
function writeInFormats({ name }: Operation, asked: () => Inbound, peeked: () => Peek): Stages {
  const formats = Object.values(operationFormats).filter(({ operation }) => operation === name);
  return Object.fromEntries(
    formats.map((format) => [
      `write for ${format.name}`,
      () => orRefuse(() => format.writeRequest({ inbound: asked(), peek: peeked() }, 'n')),
    ]),
  );
}

/** As the operation sends it. */
function write({ name }: Operation, request: ChatRequest, provider: AnyProviderDialect): void {
  const written = { ...request, outputCap: 100 };
  const writer = name === 'count_tokens' ? provider.counter : provider;
  for (const target of targetsFor(provider)) orRefuse(() => writer?.writeRequest(written, target));
}

function forEachProvider(write: (provider: AnyProviderDialect) => void): Stages {
  return Object.fromEntries(
    Object.values(providerDialects).map((provider: AnyProviderDialect) => [
      `write for ${provider.name}`,
      () => write(provider),
    ]),
  );
}

const inbound = (bytes: Buffer, dialect: AnyCallerDialect, path: CallerPath): Inbound => ({
  ...requestPath(path, 'm'),
  headers: {},
  document: scan(bytes, dialect),
});

function scan(bytes: Buffer, { scan: { watchedKeys = new Set() } }: AnyCallerDialect) {
  const scanning = new JsonScan({ watchedKeys });
  for (let filled = CHUNK_BYTES; filled < bytes.length; filled += CHUNK_BYTES) scanning.feed(bytes, filled);
  return scanning.finish(bytes, bytes.length);
}

/** The models of the golden requests, and one that takes only Google's own schemas. */
function targetsFor({ name }: AnyProviderDialect): readonly WriteTarget[] {
  const targets = targetsOf(name).map(({ target }) => target);
  const [open] = targets;
  if (name !== 'gemini' || open === undefined) return targets;
  const older: WriteTarget<object> = { ...open, quirks: { ...open.quirks, jsonSchema: false } };
  return [...targets, older];
}

function orRefuse(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

const relayContext = { callerModel: 'c', cost: () => '0.1' };
const writeContext = () => ({
  callerModel: 'c',
  id: 'gen-1',
  created: 1,
  wantsUsage: true,
  showsReasoning: true,
  warnings: new Set<string>(),
  cost: () => '0.1',
});

export function answerStages(bytes: Buffer, dialect: AnyProviderDialect): Stages {
  const response = once(() => dialect.readResponse(bytes));
  return {
    meter: () => {
      const meter = dialect.openMeter(PEEK, 'words');
      meter.body(new WholeAnswer(bytes));
      meter.delivered();
    },
    relay: () => {
      const relay = relayOf(dialect)?.openRelay(PEEK, relayContext);
      if (relay !== undefined) bytesOf(relay.editBody(new WholeAnswer(bytes)));
    },
    read: response,
    ...forEachCaller((caller) => {
      const read = response();
      if (read !== null) caller.writeResponse(read, writeContext());
    }),
  };
}

export function streamStages(bytes: Buffer, dialect: AnyProviderDialect): Stages {
  const frames = once(() => split(bytes, dialect, CHUNK_BYTES));
  const events = once(() => read(frames(), dialect));
  return {
    split: frames,
    'split in crumbs': () => split(bytes, dialect, 7),
    meter: () => {
      const meter = dialect.openMeter(PEEK, 'words');
      for (const frame of frames()) {
        meter.frame(frame);
        meter.delivered();
        meter.usage();
      }
    },
    relay: () => {
      const relayed = relayOf(dialect)?.openRelay(PEEK, relayContext);
      if (relayed === undefined) return;
      for (const frame of frames()) relayed.frame(frame);
      relayed.end();
    },
    'tell errors': () => {
      for (const frame of frames()) dialect.readEventError?.(frame);
    },
    read: events,
    ...forEachCaller((caller) => {
      const writer = caller.openWriter(writeContext());
      for (const event of events()) writer.event(event);
    }),
    redact: () => redact(bytes.toString()),
  };
}

function forEachCaller(write: (caller: AnyCallerDialect) => void): Stages {
  return Object.fromEntries(
    Object.values(callerDialects).map((caller: AnyCallerDialect) => [`write for ${caller.name}`, () => write(caller)]),
  );
}

function read(frames: readonly Frame[], dialect: AnyProviderDialect): readonly ChatEvent[] {
  const reader = dialect.openReader();
  const events: ChatEvent[] = [];
  for (const frame of frames) for (const event of reader.frame(frame)) events.push(event);
  for (const event of reader.end()) events.push(event);
  return events;
}

function relayOf({ name }: AnyProviderDialect) {
  return Object.values(relayDialects).find((relay) => relay.name === name);
}

function split(bytes: Buffer, { name }: AnyProviderDialect, chunkBytes: number): readonly Frame[] {
  const splitter = framings[framingOf(name)].openSplitter();
  const frames = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    for (const frame of splitter.push(bytes.subarray(at, at + chunkBytes))) frames.push(frame);
  return frames;
}

/** The first call's result, or what it threw, for all calls. */
function once<Result>(run: () => Result): () => Result {
  let result: (() => Result) | null = null;
  return () => {
    result ??= outcomeOf(run);
    return result();
  };
}

function outcomeOf<Result>(run: () => Result): () => Result {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
