/**
 * Serves a request at a door: checks its head, finds the actor and the account, checks rights, parses the input, calls the handler and
 * sends the answer.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, orStorageTrouble } from '../../../core/errors.ts';
import { newCallId, requestId } from '../../../core/ids.ts';
import { Turns } from '../../../core/turns/turns.ts';
import { isDemotion } from '../../../members/roles.ts';
import { readIdempotencyKey } from '../../../replay/idempotency-key.ts';
import type { Door } from '../../contract/route.ts';
import { parseInput } from '../../parse-input.ts';
import { asKnownError, errorBody } from '../../reply-error.ts';
import type { ManagedRoute } from '../index.ts';
import { sendJson, streamEvents } from './answer.ts';
import { checkStanding, chooseAccount, isRole, type Standing } from './choose-account.ts';
import { EventAnswer, TableAnswer } from './handler.ts';
import { OpenStreams } from './open-streams.ts';
import type { Management } from './parts.ts';
import { RequestContext } from './request-context.ts';
import { RunningChanges } from './running-changes.ts';
import { isSafe } from './same-origin.ts';
import { sendTable } from './send-table.ts';
import { readDeviceCookie, writeDeviceCookie, writeSessionCookie } from './session-cookie.ts';
import { type ActorFinder, byControlSocket, byManagementKey, bySession, type Found } from './who-asks.ts';

export class Serving {
  readonly #door: Door;
  readonly #management: Management;
  readonly #closing: AbortSignal;
  readonly #actors: ActorFinder;
  readonly #found = new WeakMap<FastifyRequest, Found>();
  readonly #ids = new WeakMap<FastifyRequest, string>();
  /** A page sends several requests together; calls are served in between. */
  readonly #turns = new Turns();
  readonly #streams = new OpenStreams('streams of events', { allMax: 500, ofOneMax: 20 });
  readonly #tables = new OpenStreams('exports', { allMax: 50, ofOneMax: 4 });

  readonly #changes = new RunningChanges();

  constructor(door: Door, management: Management, closing: AbortSignal) {
    this.#door = door;
    this.#management = management;
    this.#closing = closing;
    this.#actors = actorFinderAt(door, management);
  }

  /** Runs before the body is read, so that requests without access are refused early. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({
      'x-request-id': this.#idOf(request),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    if (this.#door !== 'control') this.#management.edge.checkHead(request.raw);
    await this.#turns.next();
    this.#found.set(request, await this.#actors.find(request, reply));
  }

  serve(managed: ManagedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { method, body, raw } = request;
    const ip = this.#door === 'control' ? null : this.#management.edge.clientAddress(raw);
    const { actor } = this.#foundOf(request);
    return this.#changes.run({ method, body, actor, ip }, () => this.#answer(managed, request, reply));
  }

  async #answer(
    managed: ManagedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const { route } = managed;
    const found = await this.#foundNow(request);
    checkSignedIn(found, managed);
    const query = parseInput(route.query, request.query) as { readonly account?: number };
    const standing = await this.#standingOf(found, managed, query.account, request.method);
    const params = parseInput(route.params, request.params);
    const body = parseInput(route.body, request.body ?? {});
    const gone = goneOf(reply, this.#closing);
    const checkStill = () => this.#checkStill(managed, request, { found, standing });
    const context = this.#contextOf(request, reply, { found, standing, gone, checkStill });
    const key = route.idempotent === true ? readIdempotencyKey(request.raw.rawHeaders) : null;
    if (key === null) {
      const answer = await managed.handle(context, { params, query, body });
      if (answer instanceof TableAnswer) return this.#table(request, reply, answer, context);
      if (answer instanceof EventAnswer) return this.#stream(request, reply, answer, context);
      return sendJson(reply, route.status ?? 200, JSON.stringify(answer));
    }
    const {
      status,
      body: json,
      isReplay,
    } = await this.#management.creations.once(
      {
        key,
        scope: `${context.actorId} ${standing === null ? '' : standing.account.id}`,
        request: [managed.name, request.params, request.query, request.body ?? {}],
      },
      async () => ({
        status: route.status ?? 200,
        body: JSON.stringify(await managed.handle(context, { params, query, body })),
      }),
    );
    if (isReplay) reply.header('idempotent-replayed', 'true');
    return sendJson(reply, status, json);
  }

  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const noted = asKnownError(thrown);
    const id = this.#idOf(request);
    const { edge } = this.#management;
    edge.noteError(noted, { requestId: id, route: request.routeOptions.url });
    const error = orStorageTrouble(noted, this.#management);
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    if (error.status === 401 && this.#door === 'management')
      reply.header('www-authenticate', 'Bearer realm="turnpike"');
    // Do not wait for the rest of the body.
    if (!request.raw.complete) reply.header('connection', 'close');
    const body =
      this.#door === 'management'
        ? edge.writeOpenRouterError(error, id)
        : JSON.stringify(errorBody(error, { request_id: id }));
    return sendJson(reply, error.status, body);
  }

  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: EventAnswer,
    context: RequestContext,
  ): Promise<FastifyReply | undefined> {
    if (request.method === 'HEAD') return reply.code(200).header('content-type', 'text/event-stream').send();
    const leave = this.#streams.enter(context);
    try {
      const isStillAllowed = () => this.#mayStill(context);
      await streamEvents(reply, answer, {
        clock: this.#management.clock,
        gone: context.gone,
        isStillAllowed,
      });
    } catch (cause) {
      const error = new GatewayError('internal_error', { cause });
      this.#management.edge.noteError(error, { requestId: this.#idOf(request), route: request.routeOptions.url });
    } finally {
      leave();
    }
    return undefined;
  }

  async #table(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: TableAnswer,
    context: RequestContext,
  ): Promise<FastifyReply | undefined> {
    if (request.method === 'HEAD') return reply.code(200).header('content-type', 'text/csv; charset=utf-8').send();
    const leave = this.#tables.enter(context);
    try {
      const isStillAllowed = () => this.#mayStill(context);
      await sendTable(reply, answer, {
        clock: this.#management.clock,
        gone: context.gone,
        isStillAllowed,
      });
    } catch (cause) {
      if (!reply.raw.headersSent) throw cause;
      const error = asKnownError(cause);
      this.#management.edge.noteError(error, { requestId: this.#idOf(request), route: request.routeOptions.url });
    } finally {
      leave();
    }
    return undefined;
  }

  /** Whether the same request would be allowed now. */
  async #mayStill(context: RequestContext): Promise<boolean> {
    try {
      await context.checkStill();
      return true;
    } catch {
      return false;
    }
  }

  /** Finds the actor again once the body is complete: it may take ten seconds, in which a key may be revoked or a person signed out. */
  async #foundNow(request: FastifyRequest): Promise<Found> {
    const found = this.#foundOf(request);
    if (isSafe(request.method)) return found;
    const now = await this.#actors.findAgain(found, request);
    this.#found.set(request, now);
    return now;
  }

  /** Throws if the same request would be refused now, or if the actor's role was lowered since it was admitted. */
  async #checkStill(managed: ManagedRoute, request: FastifyRequest, before: Judged): Promise<void> {
    const found = await this.#actors.findAgain(before.found, request);
    checkSignedIn(found, managed);
    const asked = before.standing?.account.id;
    const standing = await this.#standingOf(found, managed, asked, request.method);
    if (before.standing === null || standing === null) return;
    if (isDemotion(before.standing.role, standing.role))
      throw new GatewayError('permission_denied', {
        message: `Your role in the account changed to ${standing.role} during this request; nothing was changed.`,
        facts: { role: standing.role },
      });
  }

  async #standingOf(
    { actor }: Found,
    { route }: ManagedRoute,
    account: number | undefined,
    method: string,
  ): Promise<Standing | null> {
    if (route.needs === 'nobody' || route.needs === 'user') return null;
    if (!isRole(route.needs)) checkStanding(actor, null, route.needs, method);
    const standing = takesAccount(route) ? await chooseAccount(actor, account, this.#management) : null;
    checkStanding(actor, standing, route.needs, method);
    return standing;
  }

  #contextOf(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      found,
      standing,
      gone,
      checkStill,
    }: Judged & { readonly gone: AbortSignal; readonly checkStill: () => Promise<void> },
  ): RequestContext {
    const { clock, auditLog, transactions, address, edge } = this.#management;
    const { raw } = request;
    const carries = this.#door === 'dashboard' && address.mayCarrySession(raw);
    const setCookie = (token: string | null) =>
      void reply.header('set-cookie', writeSessionCookie(token, address.cookiePlace(raw)));
    const setDevice = (token: string) =>
      void reply.header('set-cookie', writeDeviceCookie(token, address.cookiePlace(raw)));
    const isAway = this.#door === 'control';
    return new RequestContext(
      {
        ...found,
        standing,
        gone,
        ip: isAway ? null : edge.clientAddress(raw),
        userAgent: isAway ? null : (raw.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null),
        requestId: this.#idOf(request),
        deviceToken: carries ? readDeviceCookie(raw.headers.cookie, address.cookiePlace(raw)) : null,
      },
      {
        ...{ clock, auditLog, transactions, checkStill },
        setCookie: carries ? setCookie : null,
        setDevice: carries ? setDevice : null,
      },
    );
  }

  #foundOf(request: FastifyRequest): Found {
    return this.#found.get(request) ?? { actor: { kind: 'nobody' }, sessionToken: null };
  }

  #idOf(request: FastifyRequest): string {
    let id = this.#ids.get(request);
    if (id === undefined) {
      id = requestId(newCallId(this.#management.clock.now()));
      this.#ids.set(request, id);
    }
    return id;
  }
}

/** The actor, and their role in the account. */
interface Judged {
  readonly found: Found;
  readonly standing: Standing | null;
}

const USER_AGENT_LENGTH_MAX = 300;

function actorFinderAt(door: Door, { sessions, address, edge }: Management): ActorFinder {
  switch (door) {
    case 'dashboard':
      return bySession(sessions, address);
    case 'management':
      return byManagementKey(edge.keys);
    case 'control':
      return byControlSocket;
  }
}

/** It may be temporary: a script may retry, and a page can say so. */
function checkSignedIn({ actor }: Found, { route }: ManagedRoute): void {
  if (actor.kind === 'nobody' && route.needs !== 'nobody') throw new GatewayError('not_signed_in');
}

/** Every route that needs a role, and routes of operators that take an account. */
function takesAccount(route: ManagedRoute['route']): boolean {
  return isRole(route.needs) || 'account' in ((route.query as { readonly shape?: object }).shape ?? {});
}

/** Never read; created once, because a new error for every request would capture a stack. */
const GONE = new Error('the caller has left, or has its answer');

/** Aborted when the caller leaves, or the server closes. */
function goneOf(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(GONE);
  closing.addEventListener('abort', end);
  reply.raw.once('close', () => {
    // The server outlives its requests: remove the listener, so that they do not accumulate.
    closing.removeEventListener('abort', end);
    end();
  });
  return gone.signal;
}
