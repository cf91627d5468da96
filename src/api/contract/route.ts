/**
 * A route of the management API, as data: the dashboard, clients with a management key and commands on the control
 * socket all come through the same ones. The OpenAPI document and the dashboard's types are generated from these
 * declarations; `src/api/management/` gives each its handler.
 */
import type * as z from 'zod';

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/**
 * Who may ask. `nobody` asks for nothing, `user` for a person who is signed in; a role is one in the account that is
 * asked about, or a higher one; `operator` runs the installation, and may do in any account what its owner may.
 */
export type Need = 'nobody' | 'user' | Role | 'operator';

/**
 * Where a route is found. `dashboard`: under `/api/dashboard`, with a session. `management`: under `/api/v1`, with a
 * management key, which is an admin of its account. `control`: under `/control/api`, on the control socket, as operator.
 */
export type Door = 'dashboard' | 'management' | 'control';

/** What only commands ask for: it concerns all accounts, or the machine, and no page shows it. */
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
  /** One sentence, without a full stop. */
  readonly summary: string;
  readonly needs: Need;
  readonly doors: readonly Door[];
  readonly params: Params;
  /** Unknown fields are refused: strict objects. */
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  /** 200 when absent. */
  readonly status?: 200 | 201 | 202;
  /** Whether the route may answer something else than JSON: `text/csv` by `format=csv`, or a stream of events. */
  readonly also?: 'text/csv' | 'text/event-stream';
  /** Whether an `Idempotency-Key` is taken: sent again within 24 hours, the first answer is given once more. */
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
