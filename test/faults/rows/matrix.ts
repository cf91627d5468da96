/**
 * The rows of the fault table: U for providers, C for callers, S for the store, the process and the machine.
 */

export interface FaultRow {
  readonly fault: string;
  /** What the plan of the table wanted instead, and why it is not so. */
  readonly differs?: string;
  /** The benchmark that measures it, or the proof that checks it, instead of a test. */
  readonly shownBy?: string;
}

export const FAMILIES = [
  {
    letter: 'U',
    title: 'Providers',
    opening:
      'What a provider does. Another target of the model is tried first, if there is one and nothing has reached the caller.',
  },
  { letter: 'C', title: 'Callers', opening: 'What a caller does.' },
  { letter: 'S', title: 'Store, process and machine', opening: 'What happens to the gateway itself.' },
] as const;

const PROVIDER_FAILED =
  'nothing is charged, instead of what was delivered: a provider’s failure is the operator’s ([endings](../guide/endings.md)).';

const ROWS = {
  U1: { fault: 'the connection is refused' },
  U2: { fault: 'the connection is neither accepted nor refused' },
  U3: { fault: 'the provider accepts, and never answers' },
  U4: { fault: 'a reset before the headers' },
  U5: { fault: 'a reset in the middle of an answer' },
  U6: { fault: 'the connection is closed in the middle of an answer' },
  U7: { fault: 'a byte now and then, without an end', differs: PROVIDER_FAILED },
  U8: {
    fault: 'silence in the middle of an answer',
    differs: `${PROVIDER_FAILED} The limit is \`timeouts.idleMs\`, 300 s.`,
  },
  U9: { fault: 'an error inside a stream of status 200' },
  U10: {
    fault: 'HTML, other JSON or nothing, with status 200',
    differs: 'the caller gets no part of such an answer; the log has the reason.',
  },
  U11: { fault: 'a stream written in an unusual way, cut anywhere' },
  U12: { fault: 'one event of more than a mebibyte', differs: PROVIDER_FAILED },
  U13: { fault: 'a body above the limit, with its length or without' },
  U14: { fault: 'no usage' },
  U15: {
    fault: 'usage that is null, negative, text, too large for any number, or NaN',
    differs: 'NaN and Infinity are no JSON: a caller could not read such an answer either, so it is a broken one.',
  },
  U16: { fault: 'usage twice, or growing' },
  U17: { fault: 'an end by length, by a filter, or for an unknown reason' },
  U18: { fault: 'bytes after a complete answer' },
  U19: {
    fault: 'a length that is missing, wrong or not a number; a chunk without a size; a trailer',
    differs:
      'an answer without a length that ends with its connection is valid HTTP, and is served; so is one with a trailer, which is dropped.',
  },
  U20: { fault: 'a compressed answer that nobody asked for' },
  U21: { fault: '401 or 403 for the operator’s credential' },
  U22: {
    fault: '402, or an exhausted quota',
    differs: 'Google and Amazon report an exhausted quota as too many requests, so it is a 429 of theirs.',
  },
  U23: { fault: '429' },
  U24: { fault: '500, 502, 503, 529' },
  U25: { fault: 'a redirect' },
  U26: { fault: 'interim answers without end, or another protocol' },
  U27: { fault: 'headers that are forged, or too large' },
  U28: {
    fault: 'a host name that does not resolve, not in time, or to another address each time',
    differs:
      'a name server that says nothing is waited for as long as a connection is (`timeouts.connectMs`), and is a 504. An operator’s provider may have a private address, so none is refused for it; the addresses of origins that members set are judged when a connection is made.',
  },
  U29: { fault: 'a certificate that is expired, or of another host' },
  U30: {
    fault: 'one of three providers fails half of its calls, or all',
    differs:
      'further attempts are at most a fifth of the calls, so they do not cover a provider that fails half of its calls: until it rests, some callers get its error.',
  },
  C1: { fault: 'the caller leaves before anything is sent', differs: 'no hold is taken so early.' },
  C2: { fault: 'the caller leaves while it waits, or in the middle of an answer' },
  C3: {
    fault: 'the caller leaves after the last token, before the end',
    differs: 'the record calls the usage estimated, with the numbers that the provider had reported by then.',
  },
  C4: { fault: 'the caller stops reading' },
  C5: { fault: 'headers or a body that arrive a byte at a time' },
  C6: { fault: 'a body that is too large, or of another length than it says' },
  C7: { fault: 'a compressed body' },
  C8: {
    fault: 'bytes that are not UTF-8; lone surrogates, NUL',
    differs:
      'a control character inside a text is left to the provider: to find one, every byte of inline media would have to be read.',
  },
  C9: { fault: 'a field twice' },
  C10: {
    fault: 'JSON that is very deep, very wide, or has numbers beyond any type',
    differs: '128 levels are accepted, instead of 64 ([decision 0006](../decisions/0006-depth-limit-128.md)).',
  },
  C11: { fault: 'fields and headers named `__proto__` and `constructor`' },
  C12: { fault: 'caps and counts that are negative, fractions, or absurd' },
  C13: { fault: 'addresses and credentials in the body' },
  C14: { fault: 'too many headers, or headers that are too large' },
  C15: { fault: 'two credentials, hosts or types in one request' },
  C16: { fault: 'requests that two parsers read differently' },
  C17: { fault: 'requests sent ahead on one connection' },
  C18: { fault: '`Expect: 100-continue`, with a bad key, too large, or good' },
  C19: {
    fault: 'HTTP/2, CONNECT, TRACE, `OPTIONS *`',
    differs: 'TRACE is a 404; the connection of a CONNECT is closed.',
  },
  C20: { fault: 'line breaks in a model’s name, a user or a request id' },
  C21: { fault: 'thousands of idle connections, and few file descriptors' },
  C22: { fault: 'keys guessed by the thousand' },
  C23: {
    fault: 'a client that sends its request again',
    differs:
      'a call that failed is not kept for its idempotency key: it is made again, and the one that succeeds is charged.',
  },
  C24: { fault: 'a WebSocket; a page of another origin', differs: 'keys have no list of origins; a WebSocket is 426.' },
  S1: { fault: '`kill -9` at any moment' },
  S2: { fault: 'a power failure: what was not synced is gone' },
  S3: { fault: 'the disk fails: fsync, or a write' },
  S4: { fault: 'the disk is full' },
  S5: { fault: 'another process locks the database' },
  S6: { fault: 'the database is read-only, or a page of it is broken' },
  S7: { fault: 'PostgreSQL hangs or is stopped, for a minute', shownBy: 'npm run prove -- nodes-database' },
  S8: { fault: 'each statement of PostgreSQL takes 2 s', shownBy: 'npm run prove -- nodes-bad-database' },
  S9: {
    fault: 'connections are killed in the middle of a commit, or a standby takes over',
    shownBy: 'npm run prove -- nodes-bad-database nodes-failover',
  },
  S10: { fault: 'Valkey is down, hung or empty', shownBy: 'npm run prove -- nodes-valkey' },
  S11: { fault: 'the wall clock jumps an hour, either way' },
  S12: { fault: 'a node stands still while others go on', shownBy: 'npm run prove -- nodes-pauses' },
  S13: { fault: 'SIGTERM with 500 live streams' },
  S14: { fault: 'prices and providers change under load' },
  S15: { fault: 'memory runs out' },
  S16: { fault: 'one of several nodes crashes', shownBy: 'npm run prove -- nodes-kills' },
  S17: { fault: 'a million keys', shownBy: 'npm run bench -- --only keys' },
  S18: { fault: 'a key is revoked, idle or in use' },
  S19: { fault: 'the balance is used up while streams run' },
  S20: { fault: 'a thousand requests for the last of a balance' },
  S21: {
    fault: 'a top-up or a refund that arrives several times, out of order, or forged',
    differs:
      'there is no payment webhook: entries are posted by operators and by management keys, each under a reference.',
  },
  S22: { fault: 'a node is lost with its disk and with what it was lent', shownBy: 'npm run prove -- nodes-disks' },
  S23: { fault: 'many millions of calls on record', shownBy: 'npm run bench -- reports' },
  S24: { fault: 'two gateways on one data folder' },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type RowId = keyof typeof ROWS;

export const FAULT_ROWS: Readonly<Record<RowId, FaultRow>> = ROWS;

/** Further tests of the same fault, with more cases. */
export const WHERE_TESTED_TOO: Partial<Readonly<Record<RowId, readonly string[]>>> = {
  U1: ['test/faults/failover.test.ts'],
  U3: ['test/life/time-limits.test.ts'],
  U5: ['test/faults/broken-answers.test.ts'],
  U6: ['test/money/proper-ends.test.ts'],
  U8: ['test/life/time-limits.test.ts'],
  U9: ['test/faults/relayed-errors.test.ts', 'test/faults/provider-words.test.ts'],
  U10: ['test/faults/broken-answers.test.ts'],
  U11: ['test/faults/odd-answers.test.ts', 'test/faults/blank-events.test.ts'],
  U15: ['test/faults/odd-answers.test.ts'],
  U18: ['test/faults/pooled-connections.test.ts'],
  U21: ['test/life/provider-health.test.ts'],
  U24: ['test/faults/failover.test.ts'],
  U28: ['src/upstream/judged-requests.test.ts'],
  U30: ['src/routing/breaker/breakers.test.ts', 'src/routing/retry-budget.test.ts', 'test/prove/breaker.prove.ts'],
  U27: ['test/faults/answer-headers.test.ts'],
  U29: ['test/faults/tls.test.ts'],
  C2: ['test/life/caller-leaves.test.ts', 'test/sdk/aborts.test.ts'],
  C4: ['test/life/slow-caller.test.ts', 'test/life/time-limits.test.ts'],
  C5: ['test/bad-input/connections.test.ts'],
  C6: ['test/bad-input/bodies.test.ts'],
  C8: ['test/bad-input/bodies.test.ts'],
  C9: ['test/bad-input/bodies.test.ts'],
  C10: ['test/bad-input/bodies.test.ts', 'test/bad-input/parse-limits.test.ts'],
  C12: ['test/bad-input/bodies.test.ts', 'test/money/caps.test.ts'],
  C13: ['test/bad-input/bodies.test.ts'],
  C14: ['test/bad-input/headers.test.ts'],
  C15: ['test/bad-input/headers.test.ts'],
  C17: ['test/bad-input/connections.test.ts'],
  C18: ['test/bad-input/connections.test.ts'],
  C21: ['test/prove/overload.prove.ts'],
  C23: ['test/money/idempotency.test.ts'],
  C24: ['test/bad-input/web-sockets.test.ts'],
  S1: ['test/life/crash.test.ts', 'test/money/crash.test.ts', 'test/prove/kill-loop.prove.ts'],
  S3: ['test/prove/disk-faults.prove.ts', 'test/life/ledger.test.ts'],
  S4: ['test/prove/disk-faults.prove.ts'],
  S20: ['test/prove/race.prove.ts'],
  S13: ['test/life/shutdown.test.ts', 'test/prove/drain.prove.ts'],
  S14: ['test/life/providers.test.ts', 'test/prove/reload.prove.ts'],
  S15: ['test/life/memory.test.ts', 'test/prove/overload.prove.ts'],
  S18: ['test/life/revocation.test.ts'],
};
