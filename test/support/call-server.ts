/** A bare HTTP server that makes a `Call` of each request, for tests of single steps of a call. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Key } from '../../src/accounts/keys.ts';
import { type Clock, ManualClock } from '../../src/core/clock.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import { Call } from '../../src/gateway/call.ts';
import type { Identified } from '../../src/gateway/phases.ts';
import { chat } from '../../src/operations/chat.ts';
import { RawConnection } from './raw-connection.ts';

export interface CallServer {
  connect(): Promise<RawConnection>;
  close(): Promise<void>;
}

/** As much of a key as the steps before the rights check need. */
export const SOMEBODY = { id: 1, rootId: 1, projectId: 1, accountId: 1 } as unknown as Key;

/** `serve` gets each request as a call and answers it, or leaves that to the test. */
export async function startCallServer(
  serve: (call: Identified) => void,
  clock: Clock = new ManualClock(),
): Promise<CallServer> {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const call = new Call(relayDialects['openai-chat'], chat, request, response, clock) as Identified;
    call.key = SOMEBODY;
    serve(call);
  });
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    connect: () => RawConnection.open(url),
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
