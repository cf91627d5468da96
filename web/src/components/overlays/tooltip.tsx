import { cloneElement, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

export interface TooltipProps {
  readonly text: string;
  /** One focusable element: a button or a link. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** A few words on hover and focus. Never the only place of necessary information. */
export function Tooltip({ text, children }: TooltipProps): ReactElement {
  const isItsName = children.props['aria-label'] === text;
  return cloneElement(children, { 'data-tooltip': text, ...(isItsName ? {} : { 'aria-description': text }) });
}

const DELAY_MS = 400;
const GAP = 6;

/** Once, around the page: shows the text of the hovered or focused element. One for all, so that a long list costs nothing. */
export function TooltipLayer(): ReactElement | null {
  const [target, setTarget] = useState<Element | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => listen(setTarget), []);
  useLayoutEffect(() => {
    if (target !== null && box.current !== null) place(box.current, target);
  }, [target]);
  if (target === null) return null;
  return createPortal(
    <div
      ref={box}
      // Screen readers have the words from the element itself.
      aria-hidden="true"
      className="pointer-events-none fixed z-50 max-w-64 rounded bg-text px-2 py-1 text-xs text-canvas"
    >
      {target.getAttribute('data-tooltip')}
    </div>,
    document.body,
  );
}

/** Reports which element's text to show, or null; returns a function that stops it. */
function listen(show: (target: Element | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let over: Element | null = null;
  const turnTo = (target: Element | null, delayMs: number): void => {
    if (target === over) return;
    over = target;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    show(null);
    if (target !== null) timer = setTimeout(() => target.isConnected && show(target), delayMs);
  };
  const stop = new AbortController();
  function on<Name extends keyof DocumentEventMap>(
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
  ): void {
    document.addEventListener(name, listener, { signal: stop.signal, capture: true });
  }
  // A finger has no hover: its tap is a click, and the text would stay.
  on('pointerover', (event) => event.pointerType !== 'touch' && turnTo(wordedAt(event.target), DELAY_MS));
  on('focusin', (event) => {
    const target = wordedAt(event.target);
    if (target?.matches(':focus-visible')) turnTo(target, 0);
  });
  on('focusout', () => turnTo(null, 0));
  on('pointerdown', () => turnTo(null, 0));
  on('scroll', () => turnTo(null, 0));
  on('keydown', (event) => event.key === 'Escape' && turnTo(null, 0));
  return () => {
    stop.abort();
    if (timer !== null) clearTimeout(timer);
  };
}

function wordedAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tooltip]') : null;
}

/** Above the element, below it if there is no space, and never beyond the window. */
function place(box: HTMLElement, target: Element): void {
  const at = target.getBoundingClientRect();
  const above = at.top - box.offsetHeight - GAP;
  const left = at.left + at.width / 2 - box.offsetWidth / 2;
  box.style.top = `${above < GAP ? at.bottom + GAP : above}px`;
  box.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - box.offsetWidth - GAP))}px`;
}
