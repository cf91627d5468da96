/** What keys do anywhere: the palette, the sheet of shortcuts, and `g` with a letter to go to a page. */
import { useEffect, useRef } from 'react';
import { useAccount, useSession } from '../api/session.ts';
import { isOpenTo } from '../navigation/is-open-to.ts';
import { useGo } from '../navigation/use-go.ts';
import { menuPath, pages } from '../routes.tsx';

const JUMP_MS = 1200;

export interface ShortcutTargets {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

export function useShortcuts(targets: ShortcutTargets): void {
  const go = useGo();
  const { user } = useSession();
  const isOperator = user.is_operator;
  const hasAccount = useAccount() !== null;
  const latest = useRef(targets);
  latest.current = targets;
  useEffect(() => {
    let jumpUntil = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
      if (event.key === '?') return latest.current.openSheet();
      if (event.timeStamp < jumpUntil) {
        jumpUntil = 0;
        const route = pages.find((each) => each.menu?.jump === event.key && isOpenTo(each, isOperator, hasAccount));
        if (route === undefined) return;
        event.preventDefault();
        go(menuPath(route));
      } else if (event.key === 'g') {
        jumpUntil = event.timeStamp + JUMP_MS;
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [go, isOperator, hasAccount]);
}

/** Where somebody types, or something lies above the page. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]') !== null
  );
}
