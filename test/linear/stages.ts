/** What the gateway does with a request's bytes, and with an answer's: each stage works on the result of the previous one. */
import { prepareBody } from '../../src/capture/prepare-body.ts';
import { redact } from '../../src/capture/redact.ts';
import { bytesOf } from '../../src/core/body.ts';
import {
  type AnyCallerDialect,
  type AnyProviderDialect,
  callerDialects,
  isRelayDialect,
  type ProviderDialectName,
  providerDialects,
  relayDialects,
} from '../../src/dialects/index.ts';
import { requestPath } from '../../src/dialects/interface/caller-path.ts';
import type { Inbound } from '../../src/dialects/interface/inbound.ts';
import type { Peek } from '../../src/dialects/interface/peek.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { framings } from '../../src/wire/frames/framings.ts';
import { JsonScan } from '../../src/wire/json-scan.ts';
import { framingOf } from '../golden/framing-of.ts';
import { targetsOf } from '../golden/targets.ts';

export type Stage<Dialect> = (bytes: Buffer, dialect: Dialect) => unknown;
type RequestStage = Stage<AnyCallerDialect>;
type AnswerStage = Stage<AnyProviderDialect>;

/** As the socket delivers them. */
const CHUNK_BYTES = 16 * 1024;
const PEEK = { model: 'm', wantsUsage: true, choices: 1 } as unknown as Peek;

const inbound = (bytes: Buffer, dialect: AnyCallerDialect): Inbound => ({
  ...requestPath(dialect.paths[0], 'm'),
  headers: {},
  document: scan(bytes, dialect),
});

function scan(bytes: Buffer, { scan: { watchedKeys = new Set() } }: AnyCallerDialect) {
  const scanning = new JsonScan({ watchedKeys });
  for (let filled = CHUNK_BYTES; filled < bytes.length; filled += CHUNK_BYTES) scanning.feed(bytes, filled);
  return scanning.finish(bytes, bytes.length);
}

export const REQUEST_STAGES: Readonly<Record<string, RequestStage>> = {
  scan: inbound,
  peek: (bytes, dialect) => dialect.peek(inbound(bytes, dialect)),
  relay: (bytes, dialect) => {
    if (!isRelayDialect(dialect)) return;
    const asked = inbound(bytes, dialect);
    const edits = { model: 'n', outputCap: null, quirks: dialect.usualQuirks ?? {} };
    dialect.patchRequest(asked, dialect.peek(asked), edits);
  },
  read: (bytes, dialect) => dialect.readRequest(inbound(bytes, dialect)),
  ...Object.fromEntries(
    Object.values(providerDialects).flatMap((provider) =>
      modelsOf(provider.name).map(({ name, target }): [string, RequestStage] => [
        `write for ${name} of ${provider.name}`,
        (bytes, dialect) =>
          provider.writeRequest({ ...dialect.readRequest(inbound(bytes, dialect)), outputCap: 100 }, target),
      ]),
    ),
  ),
  capture: (bytes) => prepareBody(bytes, false, true),
  redact: (bytes) => redact(bytes.toString()),
};

/** The models of the golden requests, and one that takes only Google's own schemas. */
function modelsOf(name: ProviderDialectName): ReturnType<typeof targetsOf> {
  const [open, ...others] = targetsOf(name);
  if (open === undefined || name !== 'gemini') return targetsOf(name);
  const older = { ...open.target, quirks: { ...open.target.quirks, jsonSchema: false } };
  return [open, ...others, { ...open, name: 'an older model', target: older }];
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

export const ANSWER_STAGES: Readonly<Record<string, AnswerStage>> = {
  meter: (bytes, dialect) => {
    const meter = dialect.openMeter(PEEK, 'words');
    meter.body(new WholeAnswer(bytes));
    meter.delivered();
  },
  relay: (bytes, dialect) => {
    const relay = relayOf(dialect)?.openRelay(PEEK, relayContext);
    if (relay !== undefined) bytesOf(relay.editBody(new WholeAnswer(bytes)));
  },
  translate: (bytes, dialect) => {
    const response = dialect.readResponse(bytes);
    if (response !== null)
      for (const caller of Object.values(callerDialects)) caller.writeResponse(response, writeContext());
  },
};

export const STREAM_STAGES: Readonly<Record<string, AnswerStage>> = {
  split: (bytes, dialect) => split(bytes, dialect, CHUNK_BYTES),
  'split in crumbs': (bytes, dialect) => split(bytes, dialect, 7),
  meter: (bytes, dialect) => {
    const meter = dialect.openMeter(PEEK, 'words');
    for (const frame of split(bytes, dialect, CHUNK_BYTES)) {
      meter.frame(frame);
      meter.delivered();
      meter.usage();
    }
  },
  relay: (bytes, dialect) => {
    const relayed = relayOf(dialect)?.openRelay(PEEK, relayContext);
    if (relayed === undefined) return;
    for (const frame of split(bytes, dialect, CHUNK_BYTES)) relayed.frame(frame);
    relayed.end();
  },
  'tell errors': (bytes, dialect) => {
    for (const frame of split(bytes, dialect, CHUNK_BYTES)) dialect.readEventError?.(frame);
  },
  ...Object.fromEntries(
    Object.values(callerDialects).map((caller): [string, AnswerStage] => [
      `translate for ${caller.name}`,
      (bytes, dialect) => translate(bytes, dialect, caller),
    ]),
  ),
  redact: (bytes) => redact(bytes.toString()),
};

function translate(bytes: Buffer, dialect: AnyProviderDialect, caller: AnyCallerDialect): void {
  const reader = dialect.openReader();
  const writer = caller.openWriter(writeContext());
  for (const frame of split(bytes, dialect, CHUNK_BYTES)) for (const event of reader.frame(frame)) writer.event(event);
  for (const event of reader.end()) writer.event(event);
}

function relayOf({ name }: AnyProviderDialect) {
  return Object.values(relayDialects).find((relay) => relay.name === name);
}

function split(bytes: Buffer, { name }: AnyProviderDialect, chunkBytes: number) {
  const splitter = framings[framingOf(name)].openSplitter();
  const frames = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    for (const frame of splitter.push(bytes.subarray(at, at + chunkBytes))) frames.push(frame);
  return frames;
}
