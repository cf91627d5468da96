/**
 * Servers that test files only read: one of each kind for all files of `npm test` (`share-browser.ts`), started when the
 * first file requests it; without it a file starts its own.
 */
import assert from 'node:assert/strict';
import { furnish } from './furnished.ts';
import { setUp } from './operator.ts';
import type { Stop } from './page-tour.ts';
import { startSeededServer } from './seeded-server.ts';

/** The environment variable with the address that returns each server as JSON, at the path of its kind. */
export const SHARED_SERVERS = 'TURNPIKE_TEST_SERVERS';

/** `OPERATOR` can sign in to it. */
export interface ShownServer {
  readonly url: string;
  /** Addresses of every page; empty for a new installation. */
  readonly stops: readonly Stop[];
}

export interface BorrowedServer extends ShownServer {
  /** Stops it if this file started it. */
  giveBack(): Promise<void>;
}

export type Kind = keyof typeof KINDS;

/** `furnished` has weeks of calls and something on every page; `new` is empty. */
const KINDS = {
  furnished: async (): Promise<BorrowedServer> => {
    const { server, stops, close } = await furnish();
    return { url: server.url, stops, giveBack: close };
  },
  new: async (): Promise<BorrowedServer> => {
    const server = await startSeededServer(0, { demo: false });
    await setUp(server.setUpLink);
    return { url: server.url, stops: [], giveBack: () => server.remove() };
  },
};

export function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name);
}

export async function borrowServer(kind: Kind): Promise<BorrowedServer> {
  const shared = process.env[SHARED_SERVERS];
  if (shared === undefined) return startKind(kind);
  const answer = await fetch(`${shared}/${kind}`);
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return { ...(JSON.parse(text) as ShownServer), giveBack: async () => undefined };
}

export function startKind(kind: Kind): Promise<BorrowedServer> {
  return KINDS[kind]();
}
