import type { ReactElement } from 'react';
import { Button, classNames } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import type { LiveCalls, LiveState } from './use-live-calls.ts';

const WORDS: Readonly<Record<LiveState, string>> = {
  off: 'Paused',
  connecting: 'Connecting…',
  live: 'Live',
  broken: 'Reconnecting…',
};

interface LiveBarProps {
  readonly live: LiveCalls;
  /** Null when the list ends in the past: nothing new can arrive. */
  readonly toggle: (() => void) | null;
  readonly onShow: () => void;
}

/** Always above the list: new requests change its text and move no rows. */
export function LiveBar({ live, toggle, onShow }: LiveBarProps): ReactElement {
  const { state, waiting, missed } = live;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2">
      <span role="status" className="inline-flex items-center gap-2 text-sm text-muted">
        <span
          aria-hidden="true"
          className={classNames(
            'size-2 rounded-full border',
            state === 'live' ? 'border-good bg-good' : state === 'broken' ? 'border-warn bg-warn' : 'border-control',
          )}
        />
        {toggle === null ? 'Past time range (not live)' : WORDS[state]}
      </span>
      {waiting.length > 0 && (
        <Button size="small" icon="up" onClick={onShow} className="figures">
          {formatCount(waiting.length)} new
        </Button>
      )}
      {missed !== 0 && (
        <span className="figures inline-flex items-center gap-2 text-sm text-muted">
          {missed === null ? 'Some requests are not shown.' : `${formatCount(missed)} requests are not shown.`}
          <Button size="small" onClick={live.reload}>
            Reload
          </Button>
        </span>
      )}
      {toggle !== null && (
        <Button
          size="small"
          kind="ghost"
          icon={state === 'off' ? 'play' : 'pause'}
          onClick={toggle}
          className="ml-auto"
        >
          {state === 'off' ? 'Go live' : 'Pause'}
        </Button>
      )}
    </div>
  );
}
