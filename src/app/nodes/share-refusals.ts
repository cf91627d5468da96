/** The list of an account's refusals has those of all nodes: each posts its own, as far as there is room in a round. */
import { accountId, keyId, projectId } from '../../core/ids.ts';
import type { Notices } from '../../nodes/notices/notices.ts';
import type { Refusals } from '../../stats/refusals.ts';

export interface RefusalParts {
  readonly notices: Pick<Notices, 'post' | 'on'>;
  readonly refusals: Pick<Refusals, 'learn' | 'onNoted'>;
}

const TEXT_MAX = 300;
/** The last moment that has a date. */
const TIME_MAX = 8.64e15;

export function shareRefusals({ notices, refusals }: RefusalParts): void {
  refusals.onNoted = (refusal) => notices.post('refusal', refusal.requestId, refusal, refusal.accountId);
  notices.on('refusal', (value) => {
    if (typeof value !== 'object' || value === null) return;
    const read = value as Readonly<Record<string, unknown>>;
    const { at, accountId: account, projectId: project, keyId: key, model, status, code, requestId } = read;
    if (
      !isNumber(at) ||
      at > TIME_MAX ||
      !isNumber(account) ||
      !isNumber(project) ||
      !isNumber(key) ||
      !isNumber(status)
    )
      return;
    if (!isText(code) || !isText(requestId) || !(model === null || isText(model))) return;
    const ids = { accountId: accountId(account), projectId: projectId(project), keyId: keyId(key) };
    refusals.learn({ at, ...ids, model, status, code, requestId });
  });
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}
