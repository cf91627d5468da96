/** The connection of this page to its server, for a banner that says when it is gone. */
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { basePath } from '../navigation/base-path.ts';
import { type Connection, Heartbeat } from './heartbeat.ts';

/** Answered without a look at the database, to anybody. */
const LIVE = `${basePath}/health/live`;
const listeners = new Set<() => void>();

const heartbeat = new Heartbeat({
  async ask(signal) {
    const response = await fetch(LIVE, { signal, cache: 'no-store', credentials: 'omit' });
    // A proxy answers for a stopped server.
    return response.status < 500;
  },
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
  hasNetwork: () => navigator.onLine,
  onChange() {
    // Lists that refresh themselves wait meanwhile, and are refetched when it is back.
    onlineManager.setOnline(heartbeat.connection === 'online');
    for (const listener of listeners) listener();
  },
});

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, read);
}

/** Checks now, whenever the next check is due. */
export function askNow(): void {
  heartbeat.start();
}

/** The server answered, whatever the answer. */
export function noteAnswer(): void {
  heartbeat.answered();
}

/** A request did not reach the server, or its answer did not arrive. */
export function noteNoAnswer(): void {
  heartbeat.failed();
}

function read(): Connection {
  return heartbeat.connection;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once, when the page starts. */
export function watchConnection(): void {
  // Only this detects it: the browser's own events know nothing of the server.
  onlineManager.setEventListener(() => undefined);
  for (const event of ['online', 'offline'] as const) window.addEventListener(event, askNow);
  document.addEventListener('visibilitychange', () => (document.hidden ? heartbeat.stop() : heartbeat.start()));
  if (!document.hidden) heartbeat.start();
}
