import type { ReactElement } from 'react';
import { Button, classNames } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import type { LiveCalls, LiveState } from './use-live-calls.ts';

const WORDS: Readonly<Record<LiveState, string>> = {
  off: 'Paused',
  connecting: 'Connecting …',
  live: 'Live',
  broken: 'Reconnecting …',
};

interface LiveBarProps {
  readonly live: LiveCalls;
  /** Null where the list ends in the past: nothing new can come. */
  readonly toggle: (() => void) | null;
  readonly onShow: () => void;
}

/** Above the list, and always there: what is new changes these words, and moves nothing. */
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
        {toggle === null ? 'Of a time that is over' : WORDS[state]}
      </span>
      {waiting.length > 0 && (
        <Button size="small" icon="up" onClick={onShow} className="figures">
          {formatCount(waiting.length)} new
        </Button>
      )}
      {missed !== 0 && (
        <span className="figures inline-flex items-center gap-2 text-sm text-muted">
          {missed === null ? 'Some calls are not shown.' : `${formatCount(missed)} calls are not shown.`}
          <Button size="small" onClick={live.reload}>
            Load again
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
