/** A server in the place of a Valkey that does as a test says. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Secret } from '../../core/secret.ts';

/** Of the script that exchanges notices. */
export const GOOD = '*2\r\n$3\r\n0-0\r\n*0\r\n';
/** The commands with which the client begins a connection, and what they are answered. */
const COMMANDS = /\r\n(hello|client|info|ping|evalsha|eval)\r\n/gi;
const ANSWERS: Readonly<Record<string, string>> = {
  hello: "-ERR unknown command 'HELLO'\r\n",
  client: '+OK\r\n',
  info: '$9\r\nloading:0\r\n',
  ping: '+PONG\r\n',
};

export interface HostileServer {
  readonly url: Secret;
  /** What a script is answered. */
  answer: (socket: Socket) => void;
  readonly sockets: Set<Socket>;
  /** What was sent to all connections together. */
  readonly sentBytes: number;
}

export async function startHostile(context: TestContext): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let closedBytes = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      closedBytes += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.on('data', (bytes) => {
      for (const [, command = ''] of bytes.toString('latin1').matchAll(COMMANDS)) {
        const known = ANSWERS[command.toLowerCase()];
        if (known === undefined) hostile.answer(socket);
        else socket.write(known);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hostile: HostileServer = {
    url: new Secret(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`),
    answer: (socket) => void socket.write(GOOD),
    sockets,
    get sentBytes() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes);
    },
  };
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return hostile;
}
