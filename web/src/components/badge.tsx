import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'worst';

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  // It is also to be seen in a row that is tinted like it.
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

/** Every state that has a name in the API: of keys, of calls, of providers. */
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
  caller_left: ['warn', 'caller left'],
  caller_slow: ['warn', 'caller too slow'],
  upstream_failed: ['bad', 'provider failed'],
  upstream_timeout: ['bad', 'provider timed out'],
  refused_upstream: ['bad', 'provider refused'],
  drained: ['warn', 'server stopped'],
  key_cut: ['warn', 'key was cut'],
  gateway_failed: ['bad', 'gateway failed'],
  gateway_crashed: ['bad', 'gateway crashed'],
  unknown: ['neutral', 'no calls yet'],
  good: ['good', 'good'],
  limited: ['warn', 'limited'],
  failing: ['bad', 'failing'],
  dead: ['worst', 'dead'],
};

/** A state of the API by its name, or an HTTP status by its number; never by colour alone. */
export function StatusBadge({ status }: { readonly status: string | number }): ReactElement {
  if (typeof status === 'number') {
    const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
    return (
      <Badge tone={tone} className="figures">
        {status}
      </Badge>
    );
  }
  const [tone, words] = STATUSES[status] ?? ['neutral', status.replaceAll('_', ' ')];
  return <Badge tone={tone}>{words}</Badge>;
}
