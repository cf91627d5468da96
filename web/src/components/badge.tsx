import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'worst';

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  // The ring keeps it visible in a row with the same tint.
  bad: 'bg-bad-soft text-bad-text inset-ring inset-ring-bad/40',
  worst: 'bg-bad text-on-bad',
};

export interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Badge({ tone = 'neutral', children, className }: BadgeProps): ReactElement {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center rounded-sm px-1.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Every state the API names, of keys, calls, providers and nodes; those of batches after `batch_`. */
const STATUSES: Readonly<Record<string, readonly [Tone, string]>> = {
  active: ['good', 'active'],
  retiring: ['warn', 'retiring'],
  revoked: ['bad', 'revoked'],
  expired: ['neutral', 'expired'],
  disabled: ['neutral', 'disabled'],
  archived: ['neutral', 'archived'],
  closed: ['neutral', 'closed'],
  complete: ['good', 'complete'],
  empty: ['neutral', 'empty'],
  caller_left: ['warn', 'disconnected'],
  caller_slow: ['warn', 'client too slow'],
  upstream_failed: ['bad', 'provider error'],
  upstream_timeout: ['bad', 'provider timeout'],
  refused_upstream: ['bad', 'provider rejected'],
  drained: ['warn', 'server shut down'],
  key_cut: ['warn', 'key revoked'],
  gateway_failed: ['bad', 'gateway error'],
  gateway_crashed: ['bad', 'gateway crash'],
  unknown: ['neutral', 'no requests yet'],
  good: ['good', 'healthy'],
  limited: ['warn', 'rate limited'],
  failing: ['bad', 'failing'],
  dead: ['worst', 'down'],
  untested: ['neutral', 'not tested'],
  rejected: ['bad', 'rejected by the provider'],
  unreachable: ['bad', 'unreachable'],
  ready: ['good', 'ready'],
  live: ['good', 'live'],
  draining: ['warn', 'draining'],
  silent: ['warn', 'silent'],
  lost: ['bad', 'lost'],
  gone: ['neutral', 'gone'],
  batch_validating: ['accent', 'validating'],
  batch_in_progress: ['accent', 'in progress'],
  batch_finalizing: ['accent', 'finalizing'],
  batch_cancelling: ['warn', 'cancelling'],
  batch_completed: ['good', 'completed'],
  batch_failed: ['bad', 'failed'],
  batch_expired: ['warn', 'expired'],
  batch_cancelled: ['neutral', 'cancelled'],
};

/** A state by its API name, or an HTTP status by its number, `–` if it is not known; never by colour alone. */
export function StatusBadge({ status }: { readonly status: string | number | null }): ReactElement {
  if (status === null) {
    return (
      <Badge>
        <span title="No details of this request are left">–</span>
      </Badge>
    );
  }
  if (typeof status === 'number') {
    const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
    return (
      <Badge tone={tone} className="figures">
        {status}
      </Badge>
    );
  }
  return <Badge tone={STATUSES[status]?.[0] ?? 'neutral'}>{statusWords(status)}</Badge>;
}

/** The label of a state: `upstream_failed` is `provider error`. */
export function statusWords(status: string): string {
  return STATUSES[status]?.[1] ?? status.replaceAll('_', ' ');
}
