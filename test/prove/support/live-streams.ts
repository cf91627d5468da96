/** The real program with many streams that have begun, in every lane, and wait for the test to let them go on. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { goodAnswer } from '../../support/fault-answers.ts';
import { asked, startFaultBackend } from '../../support/fault-backend.ts';
import { giveGood } from '../../support/fault-scripts.ts';
import { laneAnswers } from '../../support/lane-answers.ts';
import { ALL_LANES, type AnyLane, laneProviders, requestBytes } from '../../support/ledger-bench.ts';
import { endsProperly } from '../../support/open-gateway.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { newInstallation } from '../../support/serve-process.ts';
import { StreamReader } from '../../support/stream-reader.ts';
import { inLedger, type SettledCall } from './ledger-file.ts';
import { type SpawnedServer, type SpawnOptions, spawnServer } from './spawned-server.ts';

export interface LiveOptions {
  readonly streams: number;
  readonly file?: Readonly<Record<string, unknown>>;
  readonly spawn?: SpawnOptions;
  /** Instead of every lane. */
  readonly lanes?: readonly AnyLane[];
  /** Before the first stream: what the lanes need. */
  readonly prepare?: (live: Omit<LiveStreams, 'readers'>) => Promise<void>;
}

export interface LiveStreams {
  readonly url: string;
  readonly key: string;
  readonly dataFolder: string;
  /** Of the provider. */
  readonly origin: string;
  readonly server: SpawnedServer;
  readonly readers: readonly StreamReader[];
  /** Another one, begun. */
  begin(lane: AnyLane): Promise<StreamReader>;
  /** All streams get the rest of their answers; those that begin later are answered at once. */
  goOn(): void;
}

const OPENED_AT_ONCE = 25;
const OUTPUT_CAP = 1_000;

/** Returns the rows of the ledger, after the program has ended. */
export async function withLiveStreams(
  options: LiveOptions,
  run: (live: LiveStreams) => Promise<void>,
): Promise<readonly SettledCall[]> {
  const { streams, file = {}, spawn = {}, lanes = ALL_LANES, prepare } = options;
  const backend = await startFaultBackend();
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const script: Script = async (exchange) => {
    const { format, streamed } = asked(exchange);
    const { frames, contentType } = goodAnswer(format);
    if (!streamed || isOpen) return giveGood(goodAnswer(format), streamed)(exchange);
    const begun = laneAnswers[format].lead + 2;
    await exchange.openStream({ 'content-type': contentType });
    for (const frame of frames.slice(0, begun)) await exchange.chunk(frame);
    await new Promise<void>((resolve) => waiting.push(resolve));
    for (const frame of frames.slice(begun)) await exchange.chunk(frame);
    await exchange.lastChunk();
  };
  backend.play(script);
  const installation = await newInstallation({
    demo: false,
    providers: laneProviders(backend.origin),
    ...file,
  });
  const server = spawnServer(installation, spawn);
  const readers: StreamReader[] = [];
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    const begin = async (lane: AnyLane) => {
      const request = requestBytes({ url, key: installation.key }, { lane, streamed: true, outputCap: OUTPUT_CAP });
      const reader = await StreamReader.open(url, request);
      readers.push(reader);
      await reader.sees(isOpen ? endsProperly : 'two');
      return reader;
    };
    const goOn = () => {
      isOpen = true;
      for (const each of waiting.splice(0)) each();
    };
    const { key, dataFolder } = installation;
    const live = { url, key, dataFolder, origin: backend.origin, server, begin, goOn };
    await prepare?.(live);
    for (let opened = 0; opened < streams; opened += OPENED_AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(OPENED_AT_ONCE, streams - opened) }, (_, index) =>
          begin(lanes[(opened + index) % lanes.length] as AnyLane),
        ),
      );
    await run({ ...live, readers });
    await server.gone;
    return inLedger(dataFolder, (ledger) => {
      assert.equal(ledger.check().openHolds, 0, 'nothing is held');
      return ledger.settlements();
    });
  } finally {
    for (const reader of readers) reader.leave();
    await server.kill();
    await backend.close();
    await rm(installation.folder, { recursive: true, force: true });
  }
}
