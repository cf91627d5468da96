/** The first steps of every call: the key and its permissions, a slot among the running calls, and the request itself. */

import type { KeyNews } from '../../accounts/key-news.ts';
import type { RequestPath } from '../../dialects/interface/inbound.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import type { Call } from '../call.ts';
import type { RunningCalls } from '../capacity/running-calls.ts';
import type { Arrived, Identified } from '../phases.ts';
import { checkHead } from './check-head.ts';
import { explainKeyInQuery, refuseKeyInQuery } from './check-query.ts';
import { refuseReturning } from './hops.ts';
import { identify, type JudgePorts, judgeAgain } from './judge.ts';

export interface EnterPorts extends JudgePorts {
  /** Null for a single node. */
  readonly keyNews: KeyNews | null;
  readonly limits: { readonly headersMax: number };
  readonly running: Pick<RunningCalls, 'enter'>;
}

/** Uses only the head of the request. Throws `GatewayError` 400, 401, 403, 417, 431, 503. */
export function enter(ports: EnterPorts, call: Call, { query }: RequestPath): asserts call is Identified {
  checkHead(call.request, ports.limits.headersMax);
  refuseKeyInQuery(call.dialect.credential, query);
  try {
    identify(ports, call);
  } catch (error) {
    throw explainKeyInQuery(error, query);
  }
  refuseReturning(call.request.headers);
  ports.running.enter(call);
}

export interface ArrivePorts extends JudgePorts {
  readonly running: Pick<RunningCalls, 'arrived'>;
}

/** The body is complete, which may have taken minutes, so rights are checked again. Throws `GatewayError` 401, 403. */
export function arrive(
  ports: ArrivePorts,
  call: Identified,
  { path, query, parameters }: RequestPath,
  document: JsonDocument,
): asserts call is Arrived {
  const { upload } = call;
  const inbound = { headers: call.request.headers, path, query, parameters, document };
  call.inbound = upload === null ? inbound : { ...inbound, form: upload };
  ports.running.arrived(call);
  judgeAgain(ports, call);
}
