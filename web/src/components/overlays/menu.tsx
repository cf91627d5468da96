import { cloneElement, type KeyboardEvent, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { IconName } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';

export interface MenuItem {
  readonly label: ReactNode;
  readonly icon?: IconName;
  readonly onSelect?: () => void;
  /** A page of the dashboard, instead of `onSelect`. */
  readonly href?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Marked as the selected one. */
  readonly checked?: boolean;
  /** A line above it. */
  readonly separated?: boolean;
  /** Can still be chosen, but is not one of the usual items. */
  readonly muted?: boolean;
  /** Smaller, below the label. */
  readonly hint?: string;
}

export interface MenuProps {
  /** What opens it; three dots when absent. */
  readonly trigger?: ReactElement<Record<string, unknown>>;
  /** Of the three dots: `Actions for <name>`. */
  readonly label?: string;
  readonly items: readonly MenuItem[];
  readonly header?: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
}

const load = (): Promise<typeof import('./menu-popup.tsx')> => import('./menu-popup.tsx');
const MenuPopup = lazy(load);

/** Fetches what menus need, ahead of the first click on one. A failure is shown when a menu is opened. */
export function preloadMenus(): void {
  load().catch(() => undefined);
}

/** A button, until it is first opened: a list of a hundred menus is a hundred buttons. */
export function Menu({ trigger, label = 'Actions', ...rest }: MenuProps): ReactElement {
  const [wasOpened, setOpened] = useState(false);
  const button: ReactElement<Record<string, unknown>> = trigger ?? (
    <IconButton icon="more" label={label} tooltip={false} />
  );
  const closed = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: () => setOpened(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      setOpened(true);
    },
  });
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup {...rest} trigger={button} />
    </Suspense>
  );
}
