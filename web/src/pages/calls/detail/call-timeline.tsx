import type { ReactElement } from 'react';
import { StatusBadge } from '../../../components/index.ts';
import { formatMs } from '../../../format/figures.ts';
import { attemptBars, speedOf } from './timings.ts';
import type { WholeCall } from './whole-call.ts';

/** Where the time went: to the first token, then the rest of the response; and each attempt. */
export function CallTimeline({ call }: { readonly call: WholeCall }): ReactElement {
  const { first_byte_ms: first, duration_ms: total } = call;
  if (total === null) return <p className="text-sm text-muted">Only what this request was charged is left.</p>;
  const speed = speedOf(call);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <div aria-hidden="true" className="flex h-3 overflow-hidden rounded-sm bg-sunken">
          <div
            className="h-full min-w-0.5 bg-control"
            style={{ width: `${first === null ? 100 : shareOf(first, total)}%` }}
          />
          {first !== null && <div className="h-full min-w-0.5 flex-1 bg-accent" />}
        </div>
        <dl className="figures mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
          <Timing name="Time to first token" value={formatMs(first)} mark={first === null ? null : 'bg-control'} />
          {first !== null && <Timing name="Generation" value={formatMs(Math.max(0, total - first))} mark="bg-accent" />}
          <Timing name="Total" value={formatMs(total)} mark={null} />
          {speed !== null && <Timing name="Speed" value={`${speed} tokens/s`} mark={null} />}
        </dl>
      </div>
      <Attempts call={call} />
    </div>
  );
}

function Timing({
  name,
  value,
  mark,
}: {
  readonly name: string;
  readonly value: string;
  readonly mark: string | null;
}): ReactElement {
  return (
    <div className="inline-flex items-center gap-1.5">
      {mark !== null && <span aria-hidden="true" className={`size-2 rounded-sm ${mark}`} />}
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}

function Attempts({ call }: { readonly call: WholeCall }): ReactElement {
  if (call.attempts.length === 0) {
    return <p className="text-sm text-muted">No provider was called, or the record has expired.</p>;
  }
  return (
    <ol aria-label="Attempts" className="flex flex-col gap-3">
      {attemptBars(call).map(({ attempt, offset, width }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of a call that ended keep their places
        <li key={index} className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <span className="text-muted">{index + 1}</span>
            <span className="min-w-0 break-all">
              {attempt.provider} <span className="text-muted">/ {attempt.upstream_model}</span>
            </span>
            {attempt.reason !== null && attempt.reason !== 'first' && (
              <span className="text-muted">{REASONS[attempt.reason] ?? attempt.reason}</span>
            )}
            {attempt.status !== null && <StatusBadge status={attempt.status} />}
            {attempt.status === null && !(attempt.reason !== null && attempt.reason in NOT_TRIED) && (
              <span className="text-muted">no response</span>
            )}
            {attempt.error !== null && (
              <span className="font-mono text-xs break-all text-bad-text">{attempt.error}</span>
            )}
            <span className="figures ml-auto">{formatMs(attempt.duration_ms)}</span>
          </div>
          <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-sm bg-sunken">
            <div
              className={`h-full min-w-0.5 ${attempt.error === null ? 'bg-accent' : 'bg-bad'}`}
              style={{ marginLeft: `${offset}%`, width: `${width}%` }}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Why it was not tried. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  unaffordable: 'left out: the balance or a budget does not cover it',
  cannot_express: 'left out: the request cannot be written in its format',
};
const REASONS: Readonly<Record<string, string>> = {
  ...NOT_TRIED,
  fallback: 'after the one before failed',
  again: 'the same again',
};

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 100 : Math.min(100, (part / whole) * 100);
}
