/** What the management API asks of the gateway: the same keys, guesses, addresses and errors as a call's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkStillGood, identify, UnknownKey } from '../../accounts/authenticate.ts';
import type { Key } from '../../accounts/keys.ts';
import type { GatewayError } from '../../core/errors.ts';
import { describe } from '../end/reply-error.ts';
import type { Gateway } from '../gateway.ts';
import { checkHead } from './check-head.ts';
import { writeOpenRouterError } from './openrouter-error.ts';
import { permitAddress } from './permit.ts';
import { badKeyAnswer, TarpitFull } from './tarpit.ts';

/** Of a request and its answer, as Fastify has them. */
interface Asking {
  readonly raw: IncomingMessage;
}

interface Answering {
  readonly raw: ServerResponse;
  header(name: string, value: string): unknown;
}

export function managementEdge(gateway: Gateway) {
  return {
    keys: {
      async identify({ raw }: Asking, reply: Answering): Promise<Key> {
        try {
          return identify(raw.rawHeaders, gateway.keys, gateway.clock.now());
        } catch (error) {
          if (!(error instanceof UnknownKey)) throw error;
          const told = await badKeyAnswer(gateway, raw, reply.raw, error);
          if (told instanceof TarpitFull) reply.header('connection', 'close');
          throw told;
        }
      },
      checkStillGood: (key: Key): Key => checkStillGood(key, gateway.keys, gateway.clock.now()),
      checkAddress: (key: Key, { raw }: Asking) => permitAddress(gateway, key, raw),
    },
    checkHead: (request: IncomingMessage) => checkHead(request, gateway.limits.headersMax),
    clientAddress: gateway.clientAddress,
    writeOpenRouterError,
    noteError(
      error: GatewayError,
      { requestId, route }: { readonly requestId: string; readonly route: string | undefined },
    ) {
      gateway.metrics.errorAnswered('none', error.code);
      if (error.code === 'internal_error')
        gateway.log.error({ request: requestId, route, cause: describe(error.cause) }, 'failed');
    },
  };
}
