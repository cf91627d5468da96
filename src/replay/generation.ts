/** What belongs to one sealing key: those of before are kept, so that earlier answers are found and opened. */
import type { ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { AnswerSeal } from './answer-seal.ts';
import { type LineName, ReplayDigests } from './digests.ts';

/** Digests and seal of one sealing key. */
export interface Generation {
  readonly digests: ReplayDigests;
  readonly seal: AnswerSeal;
}

export function generationOf(sealingKey: Secret): Generation {
  return { digests: new ReplayDigests(sealingKey), seal: new AnswerSeal(sealingKey) };
}

/** Whose a request is, and the key that its caller sent, or the line of a batch that its call is made for. */
export interface Named {
  readonly projectId: ProjectId;
  readonly idempotencyKey: string | LineName;
}

/** Under which digest a generation knows a request. */
export function digestOf({ digests }: Generation, { projectId, idempotencyKey }: Named): Buffer {
  return typeof idempotencyKey === 'string'
    ? digests.ofKey(projectId, idempotencyKey)
    : digests.ofLine(projectId, idempotencyKey);
}
