/**
 * People at the dashboard, as a separate process: at a fixed interval each opens another page, whose requests are sent
 * together; some of them also follow the calls as they end. Prints `reading`, and on SIGTERM `result <JSON>`.
 *
 *   TURNPIKE_COOKIE=… node bench/load/read-dashboard.ts <port> <readers> <followers> <accounts> <seconds>
 */
import { connect } from 'node:net';
import { quantile } from '../statistics.ts';
import { AnswerReader } from './answer-reader.ts';
import { getBytes, type Visit } from './dashboard-client.ts';
import { LIVE_PATH, pageRequests } from './dashboard-requests.ts';
import { Connection } from './load.ts';
import { openLoop } from './pace.ts';

export interface Readings {
  readonly pagesPerSecond: number;
  readonly requestsPerSecond: number;
  /** Of requests. */
  readonly p95Ms: number;
  /** Calls that were followed live, a second and follower. */
  readonly eventsPerSecond: number;
  /** Pages due while their reader still waited for the previous one, and not opened. */
  readonly missed: number;
  /** Requests that were answered 503: too many reports at once. */
  readonly shed: number;
  /** The first answer that was not as expected; null if there was none. */
  readonly wrong: string | null;
}

const FOR_EVER_MS = 3_600_000;

interface Reader {
  /** Opened as pages need them, as browsers do: an idle connection is closed as a slow request. */
  readonly connections: Promise<Connection>[];
  readonly pages: readonly (readonly Buffer[])[];
  next: number;
  isWaiting: boolean;
}

class Tally {
  readonly waitsMs: number[] = [];
  pages = 0;
  events = 0;
  missed = 0;
  shed = 0;
  wrong: string | null = null;

  result(seconds: number, followers: number): Readings {
    const { pages, waitsMs, events, missed, shed, wrong } = this;
    return {
      pagesPerSecond: pages / seconds,
      requestsPerSecond: waitsMs.length / seconds,
      p95Ms: waitsMs.length === 0 ? 0 : quantile(waitsMs, 0.95),
      eventsPerSecond: followers === 0 ? 0 : events / seconds / followers,
      missed,
      shed,
      wrong,
    };
  }
}

interface People {
  readonly count: number;
  readonly followers: number;
  readonly accounts: number;
  /** From page to page. */
  readonly seconds: number;
}

async function read(visit: Visit, { count, followers, accounts, seconds }: People): Promise<void> {
  const tally = new Tally();
  const readers: Reader[] = [];
  for (let number = 0; number < count; number += 1) readers.push(readerOf(visit, number, accounts));
  for (let number = 0; number < followers; number += 1) follow(visit, tally);
  const startMs = performance.now();
  process.once('SIGTERM', () => {
    const result = tally.result((performance.now() - startMs) / 1000, followers);
    process.stdout.write(`result ${JSON.stringify(result)}\n`, () => process.exit(0));
  });
  process.stdout.write('reading\n');
  let turn = 0;
  await openLoop(count / seconds, FOR_EVER_MS, (fromMs) => {
    const reader = readers[turn % count] as Reader;
    turn += 1;
    if (reader.isWaiting) tally.missed += 1;
    else void openPage(visit.port, reader, fromMs, tally);
  });
}

function readerOf(visit: Visit, number: number, accounts: number): Reader {
  const pages = pageRequests(1 + (number % accounts), Date.now()).map((paths) =>
    paths.map((path) => getBytes(visit, path)),
  );
  // Readers of one account are not on the same page at the same time.
  return { connections: [], pages, next: number + Math.floor(number / accounts), isWaiting: false };
}

async function openPage(port: number, reader: Reader, fromMs: number, tally: Tally): Promise<void> {
  const { connections, pages } = reader;
  const requests = pages[reader.next % pages.length] as readonly Buffer[];
  reader.next += 1;
  reader.isWaiting = true;
  try {
    await Promise.all(
      requests.map(async (request, index) => {
        connections[index] ??= Connection.open(port);
        const { status, beginning } = await (await connections[index]).call(request);
        tally.waitsMs.push(performance.now() - fromMs);
        if (status === 503) tally.shed += 1;
        else if (status !== 200) tally.wrong ??= `${status} ${beginning.toString('latin1', 0, 300)}`;
      }),
    );
    tally.pages += 1;
  } catch (error) {
    tally.wrong ??= (error as Error).message;
  } finally {
    reader.isWaiting = false;
  }
}

function follow(visit: Visit, tally: Tally): void {
  const socket = connect({ host: '127.0.0.1', port: visit.port, noDelay: true });
  const end = (what: string) => {
    tally.wrong ??= `calls could not be followed any more: ${what}`;
  };
  const reader = new AnswerReader({
    head: (status) => status !== 200 && end(String(status)),
    body: (bytes) => {
      // A piece may contain many of them; one that is cut in two is not counted.
      tally.events += bytes.toString('latin1').split('event: call\n').length - 1;
    },
    end: () => end('the end came'),
  });
  socket.on('data', (packet: Buffer) => reader.push(packet));
  socket.on('error', ({ message }) => end(message));
  socket.write(getBytes(visit, LIVE_PATH));
}

if (import.meta.main) {
  const [port = 0, count = 0, followers = 0, accounts = 1, seconds = 1] = process.argv.slice(2).map(Number);
  await read({ port, cookie: process.env['TURNPIKE_COOKIE'] ?? '' }, { count, followers, accounts, seconds });
}
