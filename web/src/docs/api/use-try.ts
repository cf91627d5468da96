import { useCallback, useEffect, useRef, useState } from 'react';
import { sendRequest, type TryAnswer } from './send-request.ts';
import type { TryRequest } from './try-request.ts';

export interface TryState {
  readonly answer: TryAnswer | null;
  /** Why there is no complete answer. */
  readonly problem: string | null;
  readonly isRunning: boolean;
  readonly send: (request: TryRequest) => void;
  readonly stop: () => void;
}

/** One request at a time. It is aborted when the component unmounts. */
export function useTry(): TryState {
  const [answer, setAnswer] = useState<TryAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const send = useCallback((request: TryRequest) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setAnswer(null);
    setProblem(null);
    setRunning(true);
    sendRequest(request, controller.signal, (next) => running.current === controller && setAnswer(next))
      .catch((error: unknown) => {
        if (running.current === controller) setProblem(controller.signal.aborted ? 'Stopped.' : wordsOf(error));
      })
      .finally(() => {
        if (running.current === controller) setRunning(false);
      });
  }, []);
  return { answer, problem, isRunning, send, stop };
}

function wordsOf(error: unknown): string {
  return `The request failed: ${error instanceof Error ? error.message : String(error)}`;
}
