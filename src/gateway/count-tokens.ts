/**
 * `POST /v1/messages/count_tokens`: how long a prompt is. A provider of the Messages API counts it
 * exactly, or refuses the request as it would refuse the call; where none serves the model, or it cannot
 * count, the gateway estimates and says so. Nothing is held and nothing is charged; it counts as a request in the limits, and
 * an account or budget with nothing left is refused as for a call. https://docs.anthropic.com/en/api/messages-count-tokens
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Target } from '../catalog/model.ts';
import { estimatePromptTokens } from '../chat/estimate-tokens.ts';
import { isRelayDialect } from '../dialects/dialect.ts';
import type { AnyCallerDialect, AnyRelayDialect } from '../dialects/index.ts';
import type { AskedPath } from '../dialects/interface/inbound.ts';
import type { Provider } from '../providers/provider.ts';
import { countIn } from './admission/count-in.ts';
import { refusePenniless } from './admission/refuse-poor.ts';
import { boundReading, type TranslatePorts } from './admission/translate-request.ts';
import { understand } from './admission/understand.ts';
import { awaitPipelineTurn } from './arrival/await-pipeline-turn.ts';
import { arrive, enter } from './arrival/enter.ts';
import { readBody } from './arrival/read-body.ts';
import { Call } from './call.ts';
import { checkGoesOn } from './check-goes-on.ts';
import { awaitDelivery } from './end/await-delivery.ts';
import { leave } from './end/leave.ts';
import { replyFailure, UpstreamRefusal } from './end/reply-error.ts';
import { sendBody } from './end/send-body.ts';
import { CredentialEcho } from './exchange/credential-echo.ts';
import { readRefusal } from './exchange/read-refusal.ts';
import type { Gateway } from './gateway.ts';
import type { Understood } from './phases.ts';

/** Serves one request in `dialect`. Resolves when the caller has its answer, or is gone; never rejects. */
export async function handleCountTokens(
  gateway: Gateway,
  dialect: AnyCallerDialect,
  asked: AskedPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, 'chat', request, response, gateway.clock);
  try {
    enter(gateway, call);
    if (response.socket === null) await awaitPipelineTurn(call);
    arrive(gateway, call, asked, await readBody(gateway, call));
    understand(gateway, call, dialect.peekPrompt(call.inbound));
    refusePenniless(gateway, call);
    countIn(gateway, call, 0);
    const counted = await countedBySomebody(gateway, call);
    // No step runs that could be cut while a provider counts; it has five seconds for that.
    checkGoesOn(call);
    reply(call, counted ?? estimate(gateway, call), counted === null);
  } catch (error) {
    await replyFailure(gateway, call, error);
  } finally {
    const rest = awaitDelivery(gateway, call);
    if (rest !== null) await rest;
    leave(gateway, call);
  }
}

/** Reads the prompt as a translation would, within the same bounds. Throws `GatewayError` 400, 413, 503. */
function estimate(ports: TranslatePorts, call: Understood): number {
  boundReading(ports, call);
  return estimatePromptTokens(call.dialect.readRequest(call.inbound));
}

const COUNT_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/**
 * Targets that answered that they have no such route, or no such model: they are not asked again until the
 * next start. By target, because a provider that lacks one model may count for all others.
 */
const cannotCount = new WeakSet<Target>();

/** Null when no provider counts this model's tokens. Throws `UpstreamRefusal` where one refuses the request. */
async function countedBySomebody(gateway: Gateway, call: Understood): Promise<number | null> {
  const { dialect } = call;
  if (!isRelayDialect(dialect)) return null;
  for (const target of call.targets) {
    const provider = call.providers.get(target.provider);
    if (provider === undefined || cannotCount.has(target) || !target.dialects.includes(dialect.name)) continue;
    const count = await countedBy(gateway, call, dialect, target, provider);
    if (count !== null) return count;
  }
  return null;
}

async function countedBy(
  gateway: Gateway,
  call: Understood,
  dialect: AnyRelayDialect,
  target: Target,
  provider: Provider,
): Promise<number | null> {
  const method = 'POST' as const;
  const model = target.upstreamModel;
  const route = provider.route(dialect.name, { operation: 'count_tokens', model, stream: false });
  if (route === null) return null;
  const { outputCapFields } = provider.habits;
  const edits = { model, outputCap: null, outputCapFields };
  const { headers, body } = dialect.patchRequest(call.inbound, call.peek, edits);
  const { headers: signed, secrets } = await provider.sign({ method, route, headers, body });
  const request = { origin: provider.origin, method, path: route.target, headers: signed, body };
  const limits = { timeoutMs: COUNT_TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX };
  // Not swallowed: without a count the caller is given an estimate that is marked as one.
  const answer = await gateway.upstream.request(request, limits).catch(() => null);
  if (answer === null) return null;
  if (answer.status === 200) return readCount(answer.body);
  if (answer.status === 404 || answer.status === 405) cannotCount.add(target);
  if (answer.status === 400) {
    const refusal = readRefusal(call, dialect, new CredentialEcho(gateway, call, provider.name, secrets), answer);
    // An estimate would hide what the caller has to mend. Anything else may be our own trouble, or a proxy's page.
    if (refusal instanceof UpstreamRefusal) throw refusal;
  }
  return null;
}

function readCount(body: Buffer): number | null {
  try {
    const count: unknown = (JSON.parse(body.toString()) as { input_tokens?: unknown } | null)?.input_tokens;
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
  } catch {
    // An answer that is no JSON is no count.
    return null;
  }
}

function reply(call: Call, tokens: number, isEstimate: boolean): void {
  const body = Buffer.from(JSON.stringify({ input_tokens: tokens }));
  call.status = 200;
  call.responseBytes = body.length;
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  if (isEstimate) headers.push('x-turnpike-estimated', 'true');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
