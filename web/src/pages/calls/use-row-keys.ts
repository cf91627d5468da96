/** j and k move through a list; with a row open next to it, they open the neighbouring one. Enter follows the row's link. */
import { useEffect, useRef } from 'react';

interface RowKeys {
  readonly ids: readonly string[];
  /** The one shown next to the list, or null. */
  readonly open: string | null;
  readonly openRow: (id: string) => void;
}

export function useRowKeys(options: RowKeys): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'j' && event.key !== 'k') return;
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      const { ids, open, openRow } = latest.current;
      if (isTaken(event.target, open !== null)) return;
      const current = open ?? focusedRow();
      const at = current === null ? -1 : ids.indexOf(current);
      const next = ids[event.key === 'j' ? at + 1 : Math.max(0, at - 1)];
      if (next === undefined || next === current) return;
      event.preventDefault();
      const link = linkOf(next);
      link?.scrollIntoView({ block: 'nearest' });
      if (open === null) link?.focus({ preventScroll: true });
      else openRow(next);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

export function linkOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-call="${CSS.escape(id)}"]`);
}

function focusedRow(): string | null {
  const row = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-call]');
  return row?.dataset['call'] ?? null;
}

/** In a text field, or with a dialog over the list and its drawer. */
function isTaken(target: EventTarget | null, isOpen: boolean): boolean {
  if (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="menu"]')
  )
    return true;
  return document.querySelectorAll('[role="dialog"], [role="alertdialog"]').length > (isOpen ? 1 : 0);
}
