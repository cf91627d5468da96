/**
 * A route of the management API, as data. The dashboard, clients with a management key and commands on the control socket all use the same
 * routes. The OpenAPI document and the dashboard's types are generated from these declarations; their handlers are in
 * `src/api/management/`.
 */
import type * as z from 'zod';

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/**
 * Who may use a route. `nobody` needs no sign-in, `user` needs a signed-in person; a role is needed in the account of the request, or a
 * higher one; `operator` runs the installation, and has an owner's rights in every account.
 */
export type Need = 'nobody' | 'user' | Role | 'operator';

/**
 * Where a route is served. `dashboard`: under `/api/dashboard`, with a session. `management`: under `/api/v1`, with a management key, which
 * has the rights of an admin in its account. `control`: under `/control/api`, on the control socket, as operator.
 */
export type Door = 'dashboard' | 'management' | 'control';

/** For routes that only commands use: they concern all accounts or the machine, and no page shows them. */
export const forCommands = { needs: 'operator', doors: ['control'] } as const satisfies {
  readonly needs: Need;
  readonly doors: readonly Door[];
};

export interface RouteDeclaration<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the door's prefix, `:name` for a parameter. */
  readonly path: string;
  /** A short phrase, without a full stop. */
  readonly summary: string;
  readonly needs: Need;
  readonly doors: readonly Door[];
  readonly params: Params;
  /** Unknown fields are refused: strict objects. */
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  /** 200 by default. */
  readonly status?: 200 | 201 | 202;
  /** Another content type that the route may return: `text/csv` with `format=csv`, or a stream of events. */
  readonly also?: 'text/csv' | 'text/event-stream';
  /** Whether an `Idempotency-Key` is accepted: a retry within 24 hours gets the first answer again. */
  readonly idempotent?: boolean;
}

export function declare<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(declaration: RouteDeclaration<Params, Query, Body, Answer>): RouteDeclaration<Params, Query, Body, Answer> {
  return declaration;
}

export type Declared = RouteDeclaration;

export interface RouteInput<Route extends Declared> {
  readonly params: z.output<Route['params']>;
  readonly query: z.output<Route['query']>;
  readonly body: z.output<Route['body']>;
}

export type RouteAnswer<Route extends Declared> = z.input<Route['answer']>;
