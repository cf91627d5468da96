/** A way to the database on which every answer to a statement comes later, also on connections that exist: a database that is slow, not away. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { systemClock } from '../../../../src/core/clock.ts';

export interface SlowLink {
  readonly port: number;
  /** How much later answers come, ms; 0 at first. */
  delayMs: number;
  close(): Promise<void>;
}

/** First bytes of what a client sends with a statement (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const QUERY = 0x51;
const PARSE = 0x50;
const BIND = 0x42;

export async function startSlowLink(serverPort: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const own = (socket: Socket) => {
    sockets.add(socket);
    // The other side's end follows from 'close'.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    const onward = connect({ port: serverPort, host: '127.0.0.1', noDelay: true });
    own(client);
    own(onward);
    let asks = false;
    let dueMs = 0;
    client.on('data', (bytes: Buffer) => {
      asks ||= bytes[0] === QUERY || bytes[0] === PARSE || bytes[0] === BIND;
      if (!onward.destroyed) onward.write(bytes);
    });
    onward.on('data', (bytes: Buffer) => {
      const nowMs = performance.now();
      dueMs = Math.max(dueMs, nowMs + (asks ? link.delayMs : 0));
      if (dueMs <= nowMs) client.write(bytes);
      else systemClock.after(dueMs - nowMs, () => void (client.destroyed || client.write(bytes)));
    });
    client.on('close', () => onward.destroy());
    onward.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: SlowLink = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return link;
}
