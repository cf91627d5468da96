/** Claims of idempotency keys, in PostgreSQL: one round trip each. The row of the call's settlement ends its claim. */
import { type CallId, callIdBytes, callIdFromBytes, type ProjectId } from '../../../core/ids.ts';
import type { NodePlace } from '../../../nodes/ports.ts';
import type { EarlierCall, OpenClaim, ReplayClaim, ReplayClaims, RunningClaim } from '../../../replay/ports.ts';
import type { Role } from '../engine/role.ts';

const CLAIM = `select place, call_id, body_digest, has_ended
  from turnpike_claim_2($1::integer, $2::bytea[], $3::bytea, $4::bytea, $5::smallint, $6::bigint, $7::bigint, $8::bigint)`;
const CLAIM_AGAIN = `insert into replay_claims as c (project_id, key_digest, body_digest, call_id, slot, epoch, expires_at)
  select asked.project_id, asked.key_digest, asked.body_digest, asked.call_id, $1::smallint, $2::bigint, asked.expires_at
  from unnest($3::integer[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bigint[])
    as asked(project_id, key_digest, body_digest, call_id, expires_at)
  where not exists (select from superseded_calls where superseded_calls.call_id = asked.call_id)
  on conflict (project_id, key_digest) do update set slot = excluded.slot, epoch = excluded.epoch
  where c.call_id = excluded.call_id`;
const BETWEEN = `select c.key_digest, c.call_id, turnpike_is_claimed_1(c, $4::bigint) as may_run from replay_claims as c
  where c.project_id = $1::integer and c.key_digest between $2::bytea and $3::bytea`;
const GIVE_UP = 'select turnpike_give_up_1($1::bytea[], $2::bigint) as is_given_up';
const AT_ONCE = 500;
const RELEASE = 'delete from replay_claims where call_id = any($1::bytea[])';
const FORGET = `delete from replay_claims where call_id in (
  select call_id from replay_claims where expires_at <= $1::bigint for update skip locked)`;
/**
 * A call whose node is lost keeps its claim beyond its end: only so it is known later that another call has taken its name. As long as a name is
 * known to anybody, which is 30 days for lines of batches.
 */
const EXPIRED_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export class PostgresClaims implements ReplayClaims {
  readonly #role: Role;
  readonly #place: () => NodePlace;

  /** `place`: the node's now. */
  constructor(role: Role, place: () => NodePlace) {
    this.#role = role;
    this.#place = place;
  }

  async claim(claim: ReplayClaim): Promise<EarlierCall | null> {
    for (;;) {
      const place = this.#place();
      const { epoch } = place;
      const earlier = await this.#claimAt(place, claim);
      // With a new place meanwhile it is perhaps a claim at the old one, which counts no more; the same claim may be sent again.
      if (earlier !== null || this.#place().epoch === epoch) return earlier;
    }
  }

  async claimAgain(running: readonly RunningClaim[]): Promise<void> {
    const { slot, epoch } = this.#place();
    for (let from = 0; from < running.length; from += AT_ONCE) {
      const claims = running.slice(from, from + AT_ONCE);
      await this.#role.query(CLAIM_AGAIN, [
        slot,
        epoch,
        claims.map(({ projectId }) => projectId),
        claims.map(({ keyDigest }) => Buffer.from(keyDigest)),
        claims.map(({ bodyDigest }) => Buffer.from(bodyDigest)),
        claims.map(({ callId }) => callIdBytes(callId)),
        claims.map(({ expiresAt }) => Math.floor(expiresAt)),
      ]);
    }
  }

  async between(project: ProjectId, first: Uint8Array, last: Uint8Array, nowMs: number): Promise<readonly OpenClaim[]> {
    const values = [project, Buffer.from(first), Buffer.from(last), Math.floor(nowMs)];
    const { rows } = await this.#role.query<OpenRow>(BETWEEN, values);
    return rows.map((row) => ({
      keyDigest: row.key_digest,
      callId: callIdFromBytes(row.call_id),
      mayRun: row.may_run,
    }));
  }

  async giveUp(calls: readonly CallId[], nowMs: number): Promise<boolean> {
    const values = [calls.map(callIdBytes), Math.floor(nowMs)];
    const { rows } = await this.#role.query<{ readonly is_given_up: boolean }>(GIVE_UP, values);
    return rows[0]?.is_given_up ?? false;
  }

  async release(calls: readonly CallId[]): Promise<void> {
    await this.#role.query(RELEASE, [calls.map(callIdBytes)]);
  }

  /** Deletes claims of calls that were forgotten long ago; their keys are free anyway. */
  async deleteExpired(nowMs: number): Promise<void> {
    await this.#role.query(FORGET, [Math.floor(nowMs) - EXPIRED_KEPT_MS]);
  }

  async #claimAt({ slot, epoch }: NodePlace, claim: ReplayClaim): Promise<EarlierCall | null> {
    const { projectId, keyDigests, bodyDigest, callId, nowMs, expiresAt } = claim;
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
    const { rows } = await this.#role.query<ClaimRow>(CLAIM, values);
    const [row] = rows;
    if (row === undefined) return null;
    return {
      callId: callIdFromBytes(row.call_id),
      digest: row.place - 1,
      bodyDigest: row.body_digest,
      hasEnded: row.has_ended,
    };
  }
}

interface OpenRow {
  readonly key_digest: Uint8Array;
  readonly call_id: Uint8Array;
  readonly may_run: boolean;
}

interface ClaimRow {
  readonly place: number;
  readonly call_id: Uint8Array;
  readonly body_digest: Uint8Array;
  readonly has_ended: boolean;
}
