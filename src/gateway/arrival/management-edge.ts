/** What the management API uses of the gateway: the same keys, limits on guessing, addresses and errors as calls. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkStillGood, identify, UnknownKey } from '../../accounts/authenticate.ts';
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import { awaitKeyNews, type KeyNews } from '../../accounts/key-news.ts';
import type { Key } from '../../accounts/keys.ts';
import type { Clock } from '../../core/clock.ts';
import type { GatewayError, StorageTroublePorts } from '../../core/errors.ts';
import { FailureLog } from '../../telemetry/failure-log.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { describeError } from '../end/describe-error.ts';
import { checkHead } from './check-head.ts';
import { writeOpenRouterError } from './openrouter-error.ts';
import { type PermitAddressPorts, permitAddress } from './permit.ts';
import { type BadKeyPorts, badKeyAnswer, TarpitFull } from './tarpit.ts';

export interface ManagementEdgePorts extends BadKeyPorts, PermitAddressPorts, StorageTroublePorts {
  readonly clock: Clock;
  readonly keys: KeyMirror;
  /** Null for a single node. */
  readonly keyNews: KeyNews | null;
  readonly limits: { readonly headersMax: number };
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'errorAnswered'>;
}

/** The parts of Fastify's request and reply that are used. */
interface EdgeRequest {
  readonly raw: IncomingMessage;
}

interface EdgeReply {
  readonly raw: ServerResponse;
  header(name: string, value: string): unknown;
}

async function identifyWithNews({ keys, keyNews, clock }: ManagementEdgePorts, raw: IncomingMessage): Promise<Key> {
  try {
    return identify(raw.rawHeaders, keys, clock.now());
  } catch (error) {
    await awaitKeyNews(error, keyNews);
    return identify(raw.rawHeaders, keys, clock.now());
  }
}

export function managementEdge(ports: ManagementEdgePorts) {
  const failures = new FailureLog(ports);
  return {
    keys: {
      async identify({ raw }: EdgeRequest, reply: EdgeReply): Promise<Key> {
        try {
          return await identifyWithNews(ports, raw);
        } catch (error) {
          if (!(error instanceof UnknownKey)) throw error;
          const answer = await badKeyAnswer(ports, raw, reply.raw, error);
          if (answer instanceof TarpitFull) reply.header('connection', 'close');
          throw answer;
        }
      },
      /** A key changes an account for good, so it is not judged by what this node knew when it could still follow the others. */
      async checkStillGood(key: Key): Promise<Key> {
        if (ports.keys.state !== 'ready') await ports.keyNews?.await();
        return checkStillGood(key, ports.keys, ports.clock.now());
      },
      checkAddress: (key: Key, { raw }: EdgeRequest) => permitAddress(ports, key, raw),
    },
    checkHead: (request: IncomingMessage) => checkHead(request, ports.limits.headersMax),
    clientAddress: ports.clientAddress,
    writeOpenRouterError,
    noteError(
      error: GatewayError,
      { requestId, route }: { readonly requestId: string; readonly route: string | undefined },
    ) {
      ports.metrics.errorAnswered('none', error.code);
      if (error.code !== 'internal_error') return;
      const cause = describeError(error.cause);
      const kind = ports.isStorageTrouble(error.cause) ? 'storage' : cause;
      failures.note({ kind, facts: { request: requestId, route, cause } });
    },
  };
}
