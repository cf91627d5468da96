/**
 * What the key, its project and its account allow; the strictest of them wins. A caller without a known address is in no
 * list. Models are checked by the next step, which knows the nearest names.
 */
import type { IncomingMessage } from 'node:http';
import { AddressList } from '../../accounts/address-list.ts';
import type { Key } from '../../accounts/keys.ts';
import type { Permissions, Permitted } from '../../accounts/limits.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ClientAddress } from './client-address.ts';

/** Throws `GatewayError` 403 that says whose permissions apply. `address` is the caller's, null if unknown. */
export function permit(
  operation: string,
  key: Permitted,
  project: Permitted,
  account: Permitted,
  address: string | null,
): void {
  permitOperation(operation, key, project, account);
  checkAddress(address, 'key', key.permissions);
  checkAddress(address, 'project', project.permissions);
  checkAddress(address, 'account', account.permissions);
}

/** Checks only the operation, for requests that are made up and come from no address. Throws like `permit`. */
export function permitOperation(operation: string, key: Permitted, project: Permitted, account: Permitted): void {
  checkOperation(operation, 'key', key.permissions);
  checkOperation(operation, 'project', project.permissions);
  checkOperation(operation, 'account', account.permissions);
}

export interface PermitAddressPorts {
  readonly scopes: ScopeMirror;
  readonly clientAddress: ClientAddress;
}

/** Checks only the addresses, for requests that call no model: reading routes and the management API. Throws like `permit`. */
export function permitAddress({ scopes, clientAddress }: PermitAddressPorts, key: Key, request: IncomingMessage): void {
  const address = clientAddress(request);
  checkAddress(address, 'key', key.permissions);
  checkAddress(address, 'project', scopes.project(key.projectId).permissions);
  checkAddress(address, 'account', scopes.account(key.accountId).permissions);
}

type Scope = 'key' | 'project' | 'account';

const SUBJECTS: Readonly<Record<Scope, string>> = {
  key: 'This key',
  project: 'The project of this key',
  account: 'The account of this key',
};

/** Only the operator can set an account's permissions. */
const ADDED_BY: Readonly<Record<Scope, string>> = {
  key: 'Ask an admin of the account, or the creator of the key, to add it to the permissions of the key',
  project: 'Ask an admin of the account to add it to the permissions of the project',
  account: 'Ask the operator to add it to the permissions of the account',
};

function checkOperation(operation: string, scope: Scope, { operations }: Permissions): void {
  if (operations === undefined || operations.includes(operation)) return;
  throw new GatewayError('permission_denied', {
    message: `${SUBJECTS[scope]} is not allowed to use the operation "${operation}"; allowed: ${operations.join(', ') || 'none'}.`,
    facts: { binding: `${scope}_operations` },
  });
}

function checkAddress(address: string | null, scope: Scope, permissions: Permissions): void {
  const { ips } = permissions;
  if (ips === undefined || (address !== null && addressList(permissions, ips).includes(address))) return;
  // The list itself is not disclosed; the address is the caller's own, and needed to fix the list.
  const seen = address === null ? 'the address of this call is unknown' : `this call came from ${address}`;
  throw new GatewayError('permission_denied', {
    message: `${SUBJECTS[scope]} can only be used from certain IP addresses, and ${seen}. ${ADDED_BY[scope]}; if it is a proxy, the operator can list it in trustProxy.`,
    facts: { binding: `${scope}_ips`, address },
  });
}

/** Parsed once: changed permissions are a new object. */
const lists = new WeakMap<Permissions, AddressList>();

function addressList(permissions: Permissions, ips: readonly string[]): AddressList {
  let list = lists.get(permissions);
  if (list === undefined) {
    list = new AddressList(ips);
    lists.set(permissions, list);
  }
  return list;
}
