/** What the gateway does with a request's bytes, and with an answer's: each stage works on the result of the previous one. */
import { prepareBody } from '../../src/capture/prepare-body.ts';
import { redact } from '../../src/capture/redact.ts';
import { bytesOf } from '../../src/core/body.ts';
import type { RelayDialect } from '../../src/dialects/dialect.ts';
import {
  type ProviderDialectName,
  providerDialects,
  type RelayDialectName,
  relayDialects,
} from '../../src/dialects/index.ts';
import { requestPath } from '../../src/dialects/interface/caller-path.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import { JsonScan } from '../../src/wire/json-scan.ts';
import { targetsOf } from '../golden/targets.ts';

export type Stage = (bytes: Buffer, dialect: RelayDialect) => unknown;

/** As the socket delivers them. */
const CHUNK_BYTES = 16 * 1024;
const PEEK = { model: 'm', wantsUsage: true, choices: 1 } as unknown as Parameters<RelayDialect['openMeter']>[0];

const inboundOf: Stage = (bytes, dialect) => ({
  ...requestPath(dialect.paths[0], 'm'),
  headers: {},
  document: scan(bytes, dialect),
});

function scan(bytes: Buffer, { scan: { watchedKeys = new Set() } }: RelayDialect) {
  const scanning = new JsonScan({ watchedKeys });
  for (let filled = CHUNK_BYTES; filled < bytes.length; filled += CHUNK_BYTES) scanning.feed(bytes, filled);
  return scanning.finish(bytes, bytes.length);
}

function inbound(bytes: Buffer, dialect: RelayDialect) {
  return inboundOf(bytes, dialect) as Parameters<RelayDialect['peek']>[0];
}

export const REQUEST_STAGES: Readonly<Record<string, Stage>> = {
  scan: inboundOf,
  peek: (bytes, dialect) => dialect.peek(inbound(bytes, dialect)),
  relay: (bytes, dialect) => {
    const asked = inbound(bytes, dialect);
    const edits = { model: 'n', outputCap: null, quirks: dialect.usualQuirks ?? {} };
    dialect.patchRequest(asked, dialect.peek(asked), edits);
  },
  read: (bytes, dialect) => dialect.readRequest(inbound(bytes, dialect)),
  ...Object.fromEntries(
    Object.values(providerDialects).flatMap((provider) =>
      writtenFor(provider.name).map((target, index): [string, Stage] => [
        `write for ${provider.name} ${index}`,
        (bytes, dialect) =>
          provider.writeRequest({ ...dialect.readRequest(inbound(bytes, dialect)), outputCap: 100 }, target),
      ]),
    ),
  ),
  capture: (bytes) => prepareBody(bytes, false, true),
  redact: (bytes) => redact(bytes.toString()),
};

/** The models of the golden requests, and one that takes only Google's own schemas. */
function writtenFor(name: ProviderDialectName) {
  const targets = targetsOf(name).map(({ target }) => target);
  const [open] = targets;
  return name === 'gemini' && open !== undefined
    ? [...targets, { ...open, quirks: { ...open.quirks, jsonSchema: false } }]
    : targets;
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

export const ANSWER_STAGES: Readonly<Record<string, Stage>> = {
  meter: (bytes, dialect) => {
    const meter = dialect.openMeter(PEEK, 'words');
    meter.body(new WholeAnswer(bytes));
    meter.delivered();
  },
  relay: (bytes, dialect) => bytesOf(dialect.openRelay(PEEK, relayContext).editBody(new WholeAnswer(bytes))),
  translate: (bytes, dialect) => {
    const response = dialect.readResponse(bytes);
    if (response !== null)
      for (const caller of Object.values(relayDialects)) caller.writeResponse(response, writeContext());
  },
};

export const STREAM_STAGES: Readonly<Record<string, Stage>> = {
  split: (bytes) => split(bytes, CHUNK_BYTES),
  'split in crumbs': (bytes) => split(bytes, 7),
  meter: (bytes, dialect) => {
    const meter = dialect.openMeter(PEEK, 'words');
    for (const frame of split(bytes, CHUNK_BYTES)) {
      meter.frame(frame);
      meter.delivered();
      meter.usage();
    }
  },
  relay: (bytes, dialect) => {
    const relayed = dialect.openRelay(PEEK, relayContext);
    for (const frame of split(bytes, CHUNK_BYTES)) relayed.frame(frame);
    relayed.end();
  },
  'tell errors': (bytes, dialect) => {
    for (const frame of split(bytes, CHUNK_BYTES)) dialect.readEventError(frame);
  },
  ...Object.fromEntries(
    Object.values(relayDialects).map(({ name }): [string, Stage] => [
      `translate for ${name}`,
      (bytes, dialect) => translate(bytes, dialect, name),
    ]),
  ),
  redact: (bytes) => redact(bytes.toString()),
};

function translate(bytes: Buffer, dialect: RelayDialect, name: RelayDialectName): void {
  const reader = dialect.openReader();
  const writer = relayDialects[name].openWriter(writeContext());
  for (const frame of split(bytes, CHUNK_BYTES)) for (const event of reader.frame(frame)) writer.event(event);
  for (const event of reader.end()) writer.event(event);
}

function split(bytes: Buffer, chunkBytes: number) {
  const splitter = new SseSplitter();
  const frames = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    for (const frame of splitter.push(bytes.subarray(at, at + chunkBytes))) frames.push(frame);
  return frames;
}
