/**
 * Replaces the exchange for free operations: a provider with the caller's own format answers, or one that is asked in
 * another, or refuses the request as it would refuse the call. If none can answer, the gateway returns an estimate and marks it. Nothing
 * is held or charged, but it counts as a request in the limits, and an account or budget with nothing left is refused as for
 * a call.
 */
import type { Target } from '../../catalog/model.ts';
import { holdsSound } from '../../chat/holds-sound.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { Body } from '../../core/body.ts';
import {
  type AnyProviderDialect,
  isRelayDialect,
  type ProviderDialectName,
  providerDialects,
  type RelayDialectName,
  relayDialects,
} from '../../dialects/index.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Route } from '../../providers/route.ts';
import type { Breakers } from '../../routing/breaker/breakers.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { UpstreamClient } from '../../upstream/client.ts';
import { type CountPorts, countIn } from '../admission/count-in.ts';
import { type RefusePoorPorts, refusePenniless } from '../admission/refuse-poor.ts';
import { boundReading, readInTurns, type TranslatePorts } from '../admission/translate-request.ts';
import { writeTargetOf } from '../admission/write-target.ts';
import { viaAfter } from '../arrival/hops.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import { isLarge, letOthersRun } from '../let-others-run.ts';
import type { Free } from '../phases.ts';
import { namesStored } from '../stored/check-references.ts';
import { CredentialEcho, type EchoPorts } from './credential-echo.ts';
import { readRefusal } from './read-refusal.ts';
import { pinnedAt, serviceOf } from './turns.ts';

export interface AnswerFreePorts extends RefusePoorPorts, CountPorts, TranslatePorts, EchoPorts {
  readonly upstream: Pick<UpstreamClient, 'request'>;
  readonly breakers: Pick<Breakers, 'credentialFor'>;
}

/** Throws `GatewayError` 400, 402, 413, 429, 503. */
export async function answerFree(ports: AnswerFreePorts, call: Free): Promise<void> {
  const asking = refusePenniless(ports, call);
  if (asking !== null) {
    await asking;
    checkGoesOn(call);
  }
  countIn(ports, call);
  const reading = new Reading(ports, call);
  const answer = await askTargets(ports, call, reading);
  // While a provider answers, no step runs that could be ended; it has a few seconds for that.
  checkGoesOn(call);
  reply(call, answer ?? call.operation.estimate(call.dialect, await reading.request()), answer === null);
}

/** The request in the neutral form, read when it is first needed, within the bounds of a translation. */
class Reading {
  readonly #ports: TranslatePorts;
  readonly #call: Free;
  #request: ChatRequest | null = null;

  constructor(ports: TranslatePorts, call: Free) {
    this.#ports = ports;
    this.#call = call;
  }

  /** Throws `GatewayError` 400, 413, 503. */
  async request(): Promise<ChatRequest> {
    if (this.#request === null) {
      boundReading(this.#ports, this.#call);
      this.#request = await readInTurns(this.#call);
    }
    return this.#request;
  }
}

/**
 * Targets that answered that they have no such route or model: they are not asked again until the next start. By target,
 * because a provider that lacks one model may answer for others; and by provider, because an own credential leads to a server that
 * answers for its owner alone.
 */
const cannotAnswer = new WeakMap<Provider, WeakMap<Target, Set<Question>>>();

/** An operation in a format. */
type Question = `${OperationName} ${ProviderDialectName}`;

/** Null if no provider answers for this model. Throws `UpstreamRefusal` if one refuses the request. */
async function askTargets(ports: AnswerFreePorts, call: Free, reading: Reading): Promise<Buffer | null> {
  const { dialect, operation } = call;
  const own = isRelayDialect(dialect) ? dialect.name : null;
  if (own !== null)
    for (const candidate of call.candidates) {
      const asked = candidate.target.dialects.includes(own) ? relayed(call, candidate, own) : null;
      const answer = asked === null ? null : await ask(ports, call, asked);
      if (answer !== null) return answer;
    }
  if (!operation.isTranslated) return null;
  for (const candidate of call.candidates) {
    const asked = await translated(call, candidate, reading);
    const answer = asked === null ? null : await ask(ports, call, asked);
    if (answer !== null) return answer;
  }
  return null;
}

/** A request for one target. */
interface Asked {
  readonly target: Target;
  readonly provider: Provider;
  readonly upstream: AnyProviderDialect;
  readonly route: Route;
  readonly headers: Record<string, string>;
  readonly body: Body;
  /** The answer for the caller; null if the provider's body is none. */
  read(body: Buffer): Buffer | null;
}

/** Null if the target cannot be asked in the caller's format. */
function relayed(call: Free, candidate: Candidate, name: RelayDialectName): Asked | null {
  const { operation } = call;
  const { target } = candidate;
  const found = findRoute(call, candidate, name);
  if (found === null) return null;
  const edits = {
    operation: operation.name,
    model: target.upstreamModel,
    outputCap: null,
    quirks: found.provider.quirksOf(name),
  };
  const upstream = relayDialects[name];
  const { headers, body } = upstream.patchRequest(call.inbound, call.peek, edits);
  return { ...found, target, upstream, headers, body, read: (answer) => operation.readAnswer(upstream, answer) };
}

/** Null if the target cannot be asked in any other format. Throws `GatewayError` 400 as a translation does. */
async function translated(call: Free, candidate: Candidate, reading: Reading): Promise<Asked | null> {
  const { dialect, operation } = call;
  const { model, target } = candidate;
  for (const name of target.dialects) {
    const upstream = providerDialects[name];
    const found = upstream.counter === undefined ? null : findRoute(call, candidate, name);
    if (found === null) continue;
    const request = await reading.request();
    if (upstream.takesSound === false && holdsSound(request)) continue;
    const written = operation.translate?.(upstream, request, writeTargetOf(model, target, found.provider, name));
    if (written === undefined || written === null) continue;
    const read = (answer: Buffer) => operation.translateAnswer?.(dialect, upstream, answer) ?? null;
    if (isLarge(call.inbound.document)) await letOthersRun(call);
    const body = Buffer.from(JSON.stringify(written.body));
    return { ...found, target, upstream, headers: written.headers, body, read };
  }
  return null;
}

function findRoute(
  call: Free,
  candidate: Candidate,
  name: ProviderDialectName,
): Pick<Asked, 'provider' | 'route'> | null {
  const { operation } = call;
  const { target } = candidate;
  const provider = serviceOf(call, candidate);
  if (cannotAnswer.get(provider)?.get(target)?.has(`${operation.name} ${name}`) === true) return null;
  const route = provider.route(name, { operation: operation.name, model: target.upstreamModel, stream: false });
  return route === null ? null : { provider, route };
}

async function ask(ports: AnswerFreePorts, call: Free, asked: Asked): Promise<Buffer | null> {
  const { operation } = call;
  const { target, provider, upstream, route, headers, body } = asked;
  const method = 'POST' as const;
  const {
    headers: signed,
    secrets,
    refused,
  } = await provider.sign(
    { method, route, headers, body },
    pinnedAt(call, provider)?.credential ?? ports.breakers.credentialFor(provider, call.model.id),
  );
  const { origin, isJudged } = provider;
  if (isJudged) signed['via'] = viaAfter(call.request.headers);
  const request = { origin, method, path: route.target, headers: signed, body, isJudged };
  const limits = { timeoutMs: operation.answerMs, bytesMax: operation.answerBytesMax };
  // Not swallowed: without an answer, the caller gets an estimate that is marked as one.
  const answer = await ports.upstream.request(request, limits).catch(() => null);
  if (answer === null) return null;
  if (answer.status >= 400) refused?.(answer.status, answer.headers);
  if (answer.status === 200) return asked.read(answer.body);
  const isMissing = answer.status === 404 || answer.status === 405;
  // Where a request names what is stored, that may be what is missing: other callers' requests can still be answered.
  const mayBeStored = isMissing && namesStored(call);
  if (isMissing && !mayBeStored) noteCannot(provider, target, `${operation.name} ${upstream.name}`);
  if (answer.status === 400 || mayBeStored) {
    const refusal = readRefusal(call, upstream, new CredentialEcho(ports, call, provider, secrets), answer);
    // An estimate would hide what the caller must fix. Anything else may be our own problem, or a proxy's page.
    if (refusal instanceof UpstreamRefusal) throw refusal;
  }
  return null;
}

function noteCannot(provider: Provider, target: Target, question: Question): void {
  const ofProvider = cannotAnswer.get(provider) ?? new WeakMap<Target, Set<Question>>();
  const known = ofProvider.get(target) ?? new Set<Question>();
  cannotAnswer.set(provider, ofProvider.set(target, known.add(question)));
}

function reply(call: Free, body: Buffer, isEstimate: boolean): void {
  call.status = 200;
  call.responseBytes = body.length;
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  if (isEstimate) headers.push('x-turnpike-estimated', 'true');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
