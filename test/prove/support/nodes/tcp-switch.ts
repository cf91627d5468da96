/**
 * An address on loopback that leads to one server, and then to another: what a service does when it makes a standby the primary. Or to none, as a
 * network that is cut.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpSwitch {
  readonly port: number;
  /** New connections lead to this port of loopback; those that are open stay where they are. */
  leadTo(port: number): void;
  /** Every connection breaks, and new ones do, until it leads somewhere again. */
  cut(): void;
  close(): void;
}

export async function startTcpSwitch(port: number): Promise<TcpSwitch> {
  let target: number | null = port;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    if (target === null) {
      client.on('error', () => undefined).destroy();
      return;
    }
    const onward = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(next) {
      target = next;
    },
    cut() {
      target = null;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
