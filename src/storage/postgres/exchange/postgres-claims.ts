/** Claims of idempotency keys, in PostgreSQL: one round trip each. The row of the call's settlement ends its claim. */
import { type CallId, callIdBytes, callIdFromBytes } from '../../../core/ids.ts';
import type { NodePlace } from '../../../nodes/ports.ts';
import type { EarlierCall, ReplayClaim, ReplayClaims } from '../../../replay/ports.ts';
import type { Role } from '../engine/role.ts';

const CLAIM = {
  name: 'claim_2',
  text: `select place, call_id, body_digest, has_ended
    from turnpike_claim_2($1::integer, $2::bytea[], $3::bytea, $4::bytea, $5::smallint, $6::bigint, $7::bigint, $8::bigint)`,
};
const RELEASE = 'delete from replay_claims where call_id = any($1::bytea[])';
const FORGET = 'delete from replay_claims where expires_at <= $1::bigint';

export class PostgresClaims implements ReplayClaims {
  readonly #role: Role;
  readonly #place: () => NodePlace;

  /** `place`: the node's now. */
  constructor(role: Role, place: () => NodePlace) {
    this.#role = role;
    this.#place = place;
  }

  async claim(claim: ReplayClaim): Promise<EarlierCall | null> {
    const { projectId, keyDigests, bodyDigest, callId, nowMs, expiresAt } = claim;
    const { slot, epoch } = this.#place();
    const digests = keyDigests.map((digest) => Buffer.from(digest));
    const values = [
      projectId,
      digests,
      bodyDigest,
      callIdBytes(callId),
      slot,
      epoch,
      Math.floor(nowMs),
      Math.floor(expiresAt),
    ];
    const { rows } = await this.#role.query<ClaimRow>({ ...CLAIM, values });
    const [row] = rows;
    if (row === undefined) return null;
    return {
      callId: callIdFromBytes(row.call_id),
      digest: row.place - 1,
      bodyDigest: row.body_digest,
      hasEnded: row.has_ended,
    };
  }

  async release(calls: readonly CallId[]): Promise<void> {
    await this.#role.query(RELEASE, [calls.map(callIdBytes)]);
  }

  /** Deletes claims of calls that were forgotten; their keys are free anyway. */
  async deleteExpired(nowMs: number): Promise<void> {
    await this.#role.query(FORGET, [Math.floor(nowMs)]);
  }
}

interface ClaimRow {
  readonly place: number;
  readonly call_id: Uint8Array;
  readonly body_digest: Uint8Array;
  readonly has_ended: boolean;
}
