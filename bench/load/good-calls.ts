/** Good calls at a moderate open rate: measured together with something that should not disturb them. */

import { wholeAnswer } from '../bodies.ts';
import { CHAT } from '../dialects.ts';
import { quantile } from '../statistics.ts';
import type { Subject } from '../subject.ts';
import { type Connection, expectSuccess, openConnections, requestBytes } from './load.ts';
import { openLoop } from './pace.ts';

export const GOOD_PER_SECOND = 500;
const CONNECTIONS = 64;

/**
 * The 99th percentile of the waits, in milliseconds; a call that finds no free connection waits for one, which counts
 * as part of its wait. Throws if a call does not succeed.
 */
export async function goodP99(subject: Subject, forMs: number): Promise<number> {
  const request = requestBytes(subject, CHAT, 'whole');
  const bytesMin = wholeAnswer(CHAT).length - 64;
  const connections = await openConnections(subject.port, CONNECTIONS);
  const queued: number[] = [];
  const waitsMs: number[] = [];
  let isOver = false;
  const serve = async (connection: Connection) => {
    while (!isOver || queued.length > 0) {
      const fromMs = queued.shift();
      if (fromMs === undefined) {
        await new Promise<void>((resolve) => wakeUps.push(resolve));
        continue;
      }
      expectSuccess(subject, await connection.call(request), bytesMin);
      waitsMs.push(performance.now() - fromMs);
    }
  };
  const wakeUps: (() => void)[] = [];
  const load = openLoop(GOOD_PER_SECOND, forMs, (fromMs) => {
    queued.push(fromMs);
    wakeUps.pop()?.();
  }).then(() => {
    isOver = true;
    for (const wakeUp of wakeUps) wakeUp();
  });
  try {
    await Promise.all([load, ...connections.map(serve)]);
    return quantile(waitsMs, 0.99);
  } finally {
    for (const connection of connections) connection.close();
  }
}
