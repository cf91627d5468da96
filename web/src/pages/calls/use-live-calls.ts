/**
 * Requests as they finish. While the person is reading, new ones are held back and only counted; otherwise they appear
 * immediately. Requests that the stream missed (it broke, was too fast, or the page was hidden) are a gap, which
 * reloading the list closes.
 */
import { useEffect, useRef, useState } from 'react';
import type { Call } from '../../api/types.ts';

/** New calls are shown together, a few times a second. */
const STEP_MS = 300;
const ROWS_MAX = 200;
const RETRY_MS = 10_000;
/** A hidden page closes its stream, so that it does not take a follower's place. */
const HIDDEN_MS = 5_000;

export type LiveState = 'off' | 'connecting' | 'live' | 'broken';

interface LiveRows {
  readonly shown: readonly Call[];
  readonly waiting: readonly Call[];
  /** How many finished requests are missing here; null when the number is unknown. */
  readonly missed: number | null;
}

const NOTHING: LiveRows = { shown: [], waiting: [], missed: 0 };

export interface LiveOptions {
  readonly isOn: boolean;
  /** Of `followCalls`, with the filters. */
  readonly address: string;
  /** Called each time before rows would move. */
  readonly isReading: () => boolean;
  /** Reloads the list. */
  readonly reload: () => void;
}

export interface LiveCalls extends LiveRows {
  readonly state: LiveState;
  /** Shows the ones held back. */
  readonly show: () => void;
  /** Reloads the list, which closes every gap. */
  readonly reload: () => void;
}

export function useLiveCalls(options: LiveOptions): LiveCalls {
  const { isOn, address } = options;
  const [state, setState] = useState<LiveState>('off');
  const [rows, setRows] = useState<LiveRows>(NOTHING);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    setRows(NOTHING);
    if (!isOn) {
      setState('off');
      return;
    }
    let news: Call[] = [];
    const flush = setInterval(() => {
      const isReading = latest.current.isReading();
      const batch = news;
      news = [];
      setRows((before) => taken(before, batch.reverse(), isReading));
    }, STEP_MS);
    const close = follow(address, {
      say: setState,
      call: (call) => {
        news.push(call);
      },
      missed: (count) => setRows((before) => withMissed(before, count)),
      again: () => {
        if (latest.current.isReading()) setRows((before) => withMissed(before, null));
        else latest.current.reload();
      },
    });
    return () => {
      clearInterval(flush);
      close();
    };
  }, [isOn, address]);
  return {
    ...rows,
    state,
    show: () => setRows((before) => taken(before, [], false)),
    reload: () => {
      setRows(NOTHING);
      options.reload();
    },
  };
}

function taken(before: LiveRows, batch: readonly Call[], isReading: boolean): LiveRows {
  if (batch.length === 0 && (isReading || before.waiting.length === 0)) return before;
  const waiting = isReading ? [...batch, ...before.waiting] : [];
  const shown = isReading ? before.shown : [...batch, ...before.waiting, ...before.shown];
  const over = Math.max(0, waiting.length - ROWS_MAX) + Math.max(0, shown.length - ROWS_MAX);
  const missed = before.missed === null ? null : before.missed + over;
  return { shown: shown.slice(0, ROWS_MAX), waiting: waiting.slice(0, ROWS_MAX), missed };
}

function withMissed(before: LiveRows, count: number | null): LiveRows {
  return { ...before, missed: count === null || before.missed === null ? null : before.missed + count };
}

interface Listener {
  readonly say: (state: LiveState) => void;
  readonly call: (call: Call) => void;
  readonly missed: (count: number | null) => void;
  /** The stream is open again after a gap, or was rejected: an ended session shows up here. */
  readonly again: () => void;
}

/** Follows the stream while the page is visible; returns a function that stops it. */
function follow(address: string, listener: Listener): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  const open = (): void => {
    const opened = new EventSource(address);
    source = opened;
    listener.say(wasOpen ? 'broken' : 'connecting');
    opened.addEventListener('open', () => {
      listener.say('live');
      if (wasOpen) listener.again();
      wasOpen = true;
    });
    opened.addEventListener('error', () => {
      listener.say('broken');
      // The browser reconnects by itself, unless the request was rejected.
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, RETRY_MS);
      wasOpen = true;
      listener.again();
    });
    opened.addEventListener('call', (event) => listener.call(JSON.parse(String(event.data)) as Call));
    opened.addEventListener('missed', (event) => {
      const { missed } = JSON.parse(String(event.data)) as { readonly missed: number | null };
      listener.missed(missed);
    });
  };
  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(close, HIDDEN_MS);
    else if (source === null || source.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
