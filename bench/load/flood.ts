/**
 * A flood of requests with well-formed but unknown keys, each a different one, at a fixed rate over separate
 * connections and from another address than the good callers'. Prints `flooding`, and on SIGTERM `result <JSON>`.
 *
 *   node bench/load/flood.ts <port> <path> <requests a second>
 */
import { Connection } from './load.ts';
import { BAD_KEYS, numberedKey } from './numbered-keys.ts';
import { openLoop } from './pace.ts';

export interface Flooded {
  readonly perSecond: number;
  /** Answered 401, the key is not valid; and 429, too many such keys from this address. */
  readonly refused: number;
  readonly slowedDown: number;
  /** Answered anything else, or not at all. */
  readonly wrong: number;
  /** Due while every connection still waited for an answer, and not sent. */
  readonly missed: number;
}

const CONNECTIONS = 1_000;
/** Requests made before; each is sent again only when all the others were. */
const REQUESTS = 20_000;
const ADDRESS = '127.0.0.2';
const FOR_EVER_MS = 3_600_000;

async function flood(port: number, path: string, perSecond: number): Promise<void> {
  const requests = Array.from({ length: REQUESTS }, (_, number) => badRequest(port, path, number));
  const idle = await openAll(port);
  const seen = { refused: 0, slowedDown: 0, wrong: 0 };
  let sent = 0;
  let missed = 0;
  const startMs = performance.now();
  process.once('SIGTERM', () => {
    const perSecondSeen = (seen.refused + seen.slowedDown) / ((performance.now() - startMs) / 1000);
    const result: Flooded = { perSecond: perSecondSeen, ...seen, missed };
    process.stdout.write(`result ${JSON.stringify(result)}\n`, () => process.exit(0));
  });
  process.stdout.write('flooding\n');
  await openLoop(perSecond, FOR_EVER_MS, () => {
    const connection = idle.pop();
    if (connection === undefined) {
      missed += 1;
      return;
    }
    const request = requests[sent % REQUESTS] as Buffer;
    sent += 1;
    connection.start(
      request,
      null,
      ({ status }) => {
        if (status === 401) seen.refused += 1;
        else if (status === 429) seen.slowedDown += 1;
        else seen.wrong += 1;
        idle.push(connection);
      },
      () => {
        seen.wrong += 1;
      },
    );
  });
}

async function openAll(port: number): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let index = 0; index < CONNECTIONS; index += 1) connections.push(await Connection.open(port, ADDRESS));
  return connections;
}

function badRequest(port: number, path: string, number: number): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${numberedKey(BAD_KEYS, number)}\r\n` +
      'content-type: application/json\r\nuser-agent: bench\r\ncontent-length: 2\r\n\r\n{}',
  );
}

if (import.meta.main) {
  const [port, path = '', perSecond] = process.argv.slice(2);
  await flood(Number(port), path, Number(perSecond));
}
