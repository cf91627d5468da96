/**
 * Nodes share what rests and where conversations were served, as advice. It is checked before it is used: one node, whatever it
 * sends, rests at most half of the providers, and a conversation goes only where its model may be served anyway.
 */
import type { ProviderRegistry } from '../../catalog/provider-registry.ts';
import type { Clock } from '../../core/clock.ts';
import { accountId, projectId } from '../../core/ids.ts';
import type { Notices } from '../../nodes/notices/notices.ts';
import type { Breakers, FoundRest } from '../../routing/breaker/breakers.ts';
import type { Sticky } from '../../routing/sticky.ts';

export interface AdviceParts {
  readonly notices: Pick<Notices, 'post' | 'on'>;
  readonly breakers: Pick<Breakers, 'advise' | 'onRest'>;
  readonly sticky: Pick<Sticky, 'learn' | 'onKept'>;
  readonly providers: Pick<ProviderRegistry, 'current'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const TEXT_MAX = 300;
const DIGEST_BYTES = 16;
const SENDERS_MAX = 100;

export function shareAdvice({ notices, breakers, sticky, providers, clock }: AdviceParts): void {
  breakers.onRest = ({ provider, model, credential, forMs }: FoundRest) => {
    const mark = credential === null ? null : (provider.credentialMarks?.[credential] ?? null);
    // Without a mark another node may have another credential there.
    if (credential !== null && mark === null) return;
    const subject = `${provider.name} ${mark} ${model}`;
    notices.post('rest', subject, { provider: provider.name, model, mark, forMs: Math.ceil(forMs) });
  };
  const believed = new BelievedSenders(clock);
  notices.on('rest', (value, sender) => {
    const { provider: name, model, mark, forMs } = fieldsOf(value);
    if (typeof name !== 'string' || typeof forMs !== 'number' || !(forMs > 0)) return;
    const all = providers.current.providers;
    const provider = all.get(name);
    if (provider === undefined || !isTextOrNull(model) || !isTextOrNull(mark)) return;
    const credential = mark === null ? null : (provider.credentialMarks?.indexOf(mark) ?? -1);
    if (credential === -1 || (credential === null && model === null)) return;
    if (believed.mayRest(sender, name, forMs, Math.max(1, Math.floor(all.size / 2))))
      breakers.advise({ provider, model, credential, forMs });
  });
  sticky.onKept = ({ account, project, digest, at }) => {
    const name = Buffer.from(digest, 'latin1').toString('base64url');
    notices.post('kept', name, { account, project, digest: name, ...at }, account);
  };
  notices.on('kept', (value) => {
    const { account, project, digest, provider, upstreamModel, own, mark } = fieldsOf(value);
    if (!isId(account) || !isId(project) || !isText(digest) || !isText(provider) || !isText(upstreamModel)) return;
    const bytes = Buffer.from(digest, 'base64url');
    if (bytes.length !== DIGEST_BYTES || !isTextOrNull(own) || !isTextOrNull(mark)) return;
    const at = { provider, upstreamModel, own, mark };
    sticky.learn({ account: accountId(account), project: projectId(project), digest: bytes.toString('latin1'), at });
  });
}

/** Which providers each node has made rest, and until when. */
class BelievedSenders {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #rests = new Map<string, Map<string, number>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  mayRest(sender: string, provider: string, forMs: number, providersMax: number): boolean {
    const nowMs = this.#clock.monotonic();
    const ofSender = this.#rests.get(sender) ?? new Map<string, number>();
    for (const [name, until] of ofSender) if (until <= nowMs) ofSender.delete(name);
    if (!ofSender.has(provider) && ofSender.size >= providersMax) return false;
    if (!this.#rests.has(sender) && this.#rests.size >= SENDERS_MAX) this.#rests.clear();
    this.#rests.set(sender, ofSender);
    ofSender.set(provider, nowMs + forMs);
    return true;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
