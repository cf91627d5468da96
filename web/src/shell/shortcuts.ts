/** Keyboard shortcuts on every page: the palette, the shortcut sheet, and `g` plus a letter to go to a page. */
import { useEffect, useRef } from 'react';
import { useViewer } from '../api/session.ts';
import { menuEntries } from '../navigation/menu-groups.ts';
import { openDocs } from '../navigation/open-docs.ts';
import { useGo } from '../navigation/use-go.ts';
import { menuPath, menuRoutes } from '../routes.tsx';

const JUMP_MS = 1200;

export interface ShortcutTargets {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

export function useShortcuts(targets: ShortcutTargets): void {
  const go = useGo();
  const viewer = useViewer();
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
        const route = menuEntries(menuRoutes, viewer).find(({ menu }) => menu.jump === event.key);
        if (route === undefined) return;
        event.preventDefault();
        if (route.page === undefined) openDocs();
        else go(menuPath(route));
      } else if (event.key === 'g') {
        jumpUntil = event.timeStamp + JUMP_MS;
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [go, viewer]);
}

/** In a text field, or in a dialog or menu over the page. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]') !== null
  );
}
