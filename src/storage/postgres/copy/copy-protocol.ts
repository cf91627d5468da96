/**
 * `COPY` of PostgreSQL over a connection of `pg`, which leaves it to its callers: rows as text, in both directions. A row is a line; see
 * https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2.
 */
import type { ClientBase, Connection, Submittable } from 'pg';

/** What `pg` asks of a query that is sent as it is, and its types leave out. */
interface CopyQuery extends Submittable {
  handleCopyInResponse(connection: CopyConnection): void;
  handleCopyData(message: { readonly chunk: Buffer }, connection: CopyConnection): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

type CopyConnection = Connection & {
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain?: boolean };
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** Sends rows with a `COPY … FROM STDIN`; resolves to their number. If `chunks` throws, nothing is copied, and it rejects with that error. */
export function copyInto(client: ClientBase, statement: string, chunks: Iterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let failure: unknown = null;
    let copied = 0;
    const send = async (connection: CopyConnection) => {
      try {
        for (const chunk of chunks) {
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain === true) await drained(connection.stream);
        }
        connection.endCopyFrom();
      } catch (error) {
        failure = error;
        connection.sendCopyFail('the rows could not be read');
      }
    };
    client.query<CopyQuery>({
      submit: (connection) => void connection.query(statement),
      handleCopyInResponse: (connection) => void send(connection),
      handleCopyData() {},
      handleCommandComplete({ text }) {
        copied = Number(text.split(' ')[1] ?? 0);
      },
      handleReadyForQuery: () => resolve(copied),
      handleError: (error) => reject(failure ?? error),
    });
  });
}

/** Reads the rows of a `COPY … TO STDOUT`: `onLine` gets one line at a time, with its end. Rejects with what it throws. */
export function copyFrom(client: ClientBase, statement: string, onLine: (line: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown = null;
    let rest: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
        onLine(bytes.subarray(0, end + 1));
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
    };
    client.query<CopyQuery>({
      submit: (connection) => void connection.query(statement),
      handleCopyInResponse: (connection) => connection.sendCopyFail('this reads rows'),
      handleCopyData({ chunk }) {
        if (failure !== null) return;
        try {
          take(chunk);
        } catch (error) {
          // The rest still arrives; it is skipped.
          failure = error;
        }
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => (failure === null ? resolve() : reject(failure)),
      handleError: (error) => reject(failure ?? error),
    });
  });
}

const NEWLINE = 10;

/** Resolves when the stream takes more, and when it is closed, which the query's own error reports. */
function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
