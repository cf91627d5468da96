/**
 * Goal: a call passes if key, project and account all allow it, and a refusal says which of them does not. Method: tables of
 * permissions and addresses.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import type { Permissions } from '../../accounts/limits.ts';
import { GatewayError } from '../../core/errors.ts';
import { clientAddressBehind, type TrustedProxies } from './client-address.ts';
import { permit } from './permit.ts';

interface Trip {
  readonly key?: Permissions;
  readonly project?: Permissions;
  readonly account?: Permissions;
  readonly from?: string | undefined;
  readonly forwarded?: string;
  readonly trusted?: TrustedProxies;
}

/** The refusal, or null if the call passes. */
function refusalOf(trip: Trip): GatewayError | null {
  const { key = {}, project = {}, account = {}, forwarded, trusted = null } = trip;
  const remoteAddress = 'from' in trip ? trip.from : '203.0.113.9';
  const request = {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage;
  try {
    permit(
      'chat',
      { permissions: key },
      { permissions: project },
      { permissions: account },
      clientAddressBehind(trusted)(request),
    );
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.code === 'permission_denied', String(error));
    return error;
  }
}

const HERE = { ips: ['203.0.113.0/24'] };
const ELSEWHERE = { ips: ['10.0.0.0/8'] };

const passing: readonly [string, Trip][] = [
  ['nothing is restricted', {}],
  ['all list the operation', { key: { operations: ['chat'] }, project: { operations: ['chat', 'other'] } }],
  ['all list the caller’s range', { key: HERE, project: HERE, account: { ips: ['203.0.113.9'] } }],
  ['the socket reports IPv4 as IPv6', { key: HERE, from: '::ffff:203.0.113.9' }],
  [
    'a trusted proxy sets the caller’s address',
    { key: HERE, from: '10.0.0.1', forwarded: '203.0.113.9', trusted: ['10.0.0.0/8'] },
  ],
  ['no addresses are listed, and the caller’s is unknown', { from: undefined }],
];

for (const [what, trip] of passing) {
  test(`a call passes if ${what}`, () => assert.equal(refusalOf(trip), null));
}

const refused: readonly [string, Trip, string, RegExp][] = [
  [
    'the key does not list the operation',
    { key: { operations: ['other'] } },
    'key_operations',
    /^This key is not allowed to use the operation "chat"; allowed: other\./,
  ],
  [
    'the account allows no operation, whatever the key lists',
    { key: { operations: ['chat'] }, account: { operations: [] } },
    'account_operations',
    /^The account of this key is not allowed .* none\./,
  ],
  [
    'the key is for other addresses',
    { key: ELSEWHERE },
    'key_ips',
    /^This key .* came from 203\.0\.113\.9\. Ask an admin of the account, or the creator of the key, to add it/,
  ],
  [
    'the project is for other addresses, but the key is for this one',
    { key: HERE, project: ELSEWHERE },
    'project_ips',
    /^The project of this key .* permissions of the project/,
  ],
  [
    'the account is for other addresses',
    { key: HERE, account: ELSEWHERE },
    'account_ips',
    /^The account of this key .* Ask the operator to add it/,
  ],
  ['the list of addresses is empty', { key: { ips: [] } }, 'key_ips', /came from 203/],
  [
    'the address is unknown',
    { key: { ips: ['0.0.0.0/0', '::/0'] }, from: undefined },
    'key_ips',
    /address of this call is unknown/,
  ],
  ['the list has no valid range', { key: { ips: ['anywhere'] } }, 'key_ips', /came from/],
  ['the caller itself claims another address', { key: ELSEWHERE, forwarded: '10.0.0.1' }, 'key_ips', /came from 203/],
  [
    'the trusted proxy is in the list and its caller is not',
    { key: ELSEWHERE, from: '10.0.0.1', forwarded: '198.51.100.7', trusted: 1 },
    'key_ips',
    /came from 198\.51\.100\.7/,
  ],
];

for (const [what, trip, binding, message] of refused) {
  test(`a call is refused if ${what}`, () => {
    const error = refusalOf(trip);
    assert.equal(error?.status, 403);
    assert.equal(error?.facts?.['binding'], binding);
    assert.match(error?.message ?? '', message);
  });
}

test('the caller’s address is in the facts', () => {
  assert.deepEqual(refusalOf({ key: ELSEWHERE })?.facts, { binding: 'key_ips', address: '203.0.113.9' });
});

test('a list is parsed once as long as the permissions do not change', () => {
  let reads = 0;
  const permissions: Permissions = {
    ips: new Proxy(['203.0.113.9'], {
      get(list, name, receiver) {
        if (name === '0') reads += 1;
        return Reflect.get(list, name, receiver);
      },
    }),
  };
  for (let call = 0; call < 3; call += 1) assert.equal(refusalOf({ key: permissions }), null);
  assert.equal(reads, 1);
});
