/** A dashboard provider's credentials besides the first: they are sealed together, and each has an id by which it is removed. */
import { randomBytes } from 'node:crypto';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';

export interface FurtherCredential {
  readonly id: string;
  readonly secret: Secret;
  /** Unix ms. */
  readonly createdAt: number;
}

export function newFurther(secret: Secret, now: number): FurtherCredential {
  return { id: randomBytes(ID_BYTES).toString('hex'), secret, createdAt: now };
}

/** Null if there are none. */
export function sealFurther(name: string, all: readonly FurtherCredential[], sealer: Sealer): Uint8Array | null {
  if (all.length === 0) return null;
  const rows = all.map(({ id, secret, createdAt }): Row => ({ id, credential: secret.reveal(), createdAt }));
  return sealer.seal(Buffer.from(JSON.stringify(rows), 'utf8'), placeOf(name));
}

/** Throws like `sealer.open`. */
export function openFurther(name: string, sealed: Uint8Array | null, sealer: Sealer): readonly FurtherCredential[] {
  if (sealed === null) return [];
  const rows: readonly Row[] = JSON.parse(sealer.open(sealed, placeOf(name)).toString('utf8'));
  return rows.map(({ id, credential, createdAt }) => ({ id, secret: new Secret(credential), createdAt }));
}

const ID_BYTES = 6;

interface Row {
  readonly id: string;
  readonly credential: string;
  readonly createdAt: number;
}

function placeOf(name: string): string {
  return `provider-credentials:${name}`;
}
