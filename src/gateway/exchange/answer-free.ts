/**
 * Replaces the exchange for free operations: a provider with the caller's own format answers, or refuses the request as it
 * would refuse the call. If none serves the model, or none can answer, the gateway returns an estimate and marks it. Nothing
 * is held or charged, but it counts as a request in the limits, and an account or budget with nothing left is refused as for
 * a call.
 */
import type { Target } from '../../catalog/model.ts';
import { type AnyRelayDialect, isRelayDialect } from '../../dialects/index.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import type { Provider } from '../../providers/provider.ts';
import type { UpstreamClient } from '../../upstream/client.ts';
import { type CountPorts, countIn } from '../admission/count-in.ts';
import { type RefusePoorPorts, refusePenniless } from '../admission/refuse-poor.ts';
import { boundReading, type TranslatePorts } from '../admission/translate-request.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import type { Free } from '../phases.ts';
import { CredentialEcho, type EchoPorts } from './credential-echo.ts';
import { readRefusal } from './read-refusal.ts';

export interface AnswerFreePorts extends RefusePoorPorts, CountPorts, TranslatePorts, EchoPorts {
  readonly upstream: Pick<UpstreamClient, 'request'>;
}

/** Throws `GatewayError` 400, 402, 413, 429, 503. */
export async function answerFree(ports: AnswerFreePorts, call: Free): Promise<void> {
  refusePenniless(ports, call);
  countIn(ports, call);
  const answer = await askTargets(ports, call);
  // While a provider answers, no step runs that could be ended; it has a few seconds for that.
  checkGoesOn(call);
  reply(call, answer ?? estimate(ports, call), answer === null);
}

/** Reads the request like a translation, within the same bounds. Throws `GatewayError` 400, 413, 503. */
function estimate(ports: TranslatePorts, call: Free): Buffer {
  boundReading(ports, call);
  return call.operation.estimate(call.dialect, call.dialect.readRequest(call.inbound));
}

/**
 * Targets that answered that they have no such route or model: they are not asked again until the next start. By target,
 * because a provider that lacks one model may answer for others.
 */
const cannotAnswer = new WeakMap<Target, Set<OperationName>>();

/** Null if no provider answers for this model. Throws `UpstreamRefusal` if one refuses the request. */
async function askTargets(ports: AnswerFreePorts, call: Free): Promise<Buffer | null> {
  const { dialect } = call;
  if (!isRelayDialect(dialect)) return null;
  for (const target of call.targets) {
    const provider = call.providers.get(target.provider);
    if (provider === undefined || !target.dialects.includes(dialect.name)) continue;
    if (cannotAnswer.get(target)?.has(call.operation.name)) continue;
    const answer = await ask(ports, call, dialect, target, provider);
    if (answer !== null) return answer;
  }
  return null;
}

async function ask(
  ports: AnswerFreePorts,
  call: Free,
  dialect: AnyRelayDialect,
  target: Target,
  provider: Provider,
): Promise<Buffer | null> {
  const { operation } = call;
  const method = 'POST' as const;
  const model = target.upstreamModel;
  const route = provider.route(dialect.name, { operation: operation.name, model, stream: false });
  if (route === null) return null;
  const edits = { operation: operation.name, model, outputCap: null, quirks: provider.quirksOf(dialect.name) };
  const { headers, body } = dialect.patchRequest(call.inbound, call.peek, edits);
  const { headers: signed, secrets, refused } = await provider.sign({ method, route, headers, body });
  const request = { origin: provider.origin, method, path: route.target, headers: signed, body };
  const limits = { timeoutMs: operation.answerMs, bytesMax: operation.answerBytesMax };
  // Not swallowed: without an answer, the caller gets an estimate that is marked as one.
  const answer = await ports.upstream.request(request, limits).catch(() => null);
  if (answer === null) return null;
  if (answer.status >= 400) refused?.(answer.status, answer.headers);
  if (answer.status === 200) return operation.readAnswer(dialect, answer.body);
  if (answer.status === 404 || answer.status === 405) noteCannot(target, operation.name);
  if (answer.status === 400) {
    const refusal = readRefusal(call, dialect, new CredentialEcho(ports, call, provider.name, secrets), answer);
    // An estimate would hide what the caller must fix. Anything else may be our own problem, or a proxy's page.
    if (refusal instanceof UpstreamRefusal) throw refusal;
  }
  return null;
}

function noteCannot(target: Target, operation: OperationName): void {
  const known = cannotAnswer.get(target);
  if (known === undefined) cannotAnswer.set(target, new Set([operation]));
  else known.add(operation);
}

function reply(call: Free, body: Buffer, isEstimate: boolean): void {
  call.status = 200;
  call.responseBytes = body.length;
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  if (isEstimate) headers.push('x-turnpike-estimated', 'true');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
