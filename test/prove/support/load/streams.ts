/** Hundreds of streams at a real server that something happens to. */
import assert from 'node:assert/strict';
import type { Installation } from '../../../support/serve-process.ts';
import { CallerPool, type Format, type Outcome, requestBytes } from './load-caller.ts';
import { LOAD_MODEL, type Pace, promptOf } from './paced-provider.ts';
import { pause } from './pause.ts';

const FORMATS: readonly Format[] = ['openai-chat', 'anthropic-messages'];
const OPENED_AT_ONCE = 25;
const PAUSE_MS = 50;

export interface OpenStreams {
  readonly outcomes: Promise<readonly Outcome[]>;
  /** How many have ended. */
  readonly ended: number;
  close(): void;
}

/** Opens them a few at a time, of both formats; `paceOf` says how long each goes on. */
export async function openStreams(
  url: string,
  { key }: Pick<Installation, 'key'>,
  count: number,
  paceOf: (number: number) => Pace,
): Promise<OpenStreams> {
  const pool = new CallerPool(url);
  let ended = 0;
  const all: Promise<Outcome>[] = [];
  for (let number = 0; number < count; number += 1) {
    const format = FORMATS[number % FORMATS.length] ?? 'openai-chat';
    const call = { key, format, stream: true, prompt: promptOf(paceOf(number)) };
    const outcome = pool.call(requestBytes(LOAD_MODEL, call), call, performance.now());
    all.push(outcome);
    void outcome.then(() => {
      ended += 1;
    });
    if (number % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await pause(PAUSE_MS);
  }
  return {
    outcomes: Promise.all(all),
    get ended() {
      return ended;
    },
    close: () => pool.close(),
  };
}

/** Waits until this many calls run. */
export async function untilRunning(url: string, count: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${url}/health`);
    const { load } = (await response.json()) as { load: { calls_running: number } };
    if (load.calls_running >= count) return;
    assert.ok(tries < 200, `${load.calls_running} of ${count} calls run`);
    await pause(PAUSE_MS);
  }
}
