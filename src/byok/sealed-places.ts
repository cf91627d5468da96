/** Where the secret of an own credential is sealed for: its row, its tenant and its field, so that it opens nowhere else. */
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';
import type { StoredOwnCredential } from './ports.ts';

type Place = Pick<StoredOwnCredential, 'id' | 'accountId' | 'projectId'>;
type Field = 'secret' | 'previous';

export function sealOwn(sealer: Sealer, place: Place, field: Field, secret: Secret): Uint8Array {
  return sealer.seal(Buffer.from(secret.reveal(), 'utf8'), nameOf(place, field));
}

/** Null if it cannot be opened here: it was copied from another place, or its key is missing. */
export function openOwn(sealer: Sealer, place: Place, field: Field, sealed: Uint8Array | null): Secret | null {
  if (sealed === null) return null;
  try {
    return new Secret(sealer.open(sealed, nameOf(place, field)).toString('utf8'));
  } catch {
    // Not swallowed: the credential is listed with its problem.
    return null;
  }
}

/** As `storage/sql/sealed.ts` has it, which seals them again. */
function nameOf({ id, accountId, projectId }: Place, field: Field): string {
  return `own:${id}:${accountId}:${projectId ?? 0}:${field}`;
}
