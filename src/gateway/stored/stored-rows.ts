/** What is remembered of a call's answer, together with its settlement: the ids by which later requests may name it. */
import type { StoredId } from '../../billing/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { isRelayed } from '../admission/translate-request.ts';
import type { Admitted } from '../phases.ts';
import { credentialName } from './holder.ts';
import { digestOf } from './stored-answers.ts';

/** An answer has an id, and one for each of its items; more than this are not remembered. */
const IDS_MAX = 512;
/** An answer has one, or a few. */
const CONTAINERS_MAX = 32;

/**
 * Null if the provider keeps nothing of it. Of an answer that was cut off as well: its id is in the first event, the caller may have seen it,
 * and nobody else could have deleted what the provider may keep of it.
 */
export function storedRows(clock: Pick<Clock, 'now'>, call: Admitted): readonly StoredId[] | null {
  const { candidate, peek, meter, target } = call;
  if (!isRelayed(call, candidate) || meter === null) return null;
  const service = candidate.own?.service ?? call.providers.get(target.provider);
  if (service?.keepsAnswers !== true) return null;
  const kept = peek.storesAnswer === true ? (meter.storedIds?.() ?? []) : [];
  const containers = meter.containerIds?.() ?? [];
  const ids = [...new Set([...containers.slice(0, CONTAINERS_MAX), ...kept])].slice(0, IDS_MAX);
  if (ids.length === 0) return null;
  const { provider, upstreamModel } = target;
  const createdAt = clock.now();
  const { projectId } = call.key;
  const credential = credentialName(call, candidate, service);
  return ids.map((id) => ({ projectId, digest: digestOf(id), provider, upstreamModel, credential, createdAt }));
}
