import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Link } from '../components/link.tsx';
import { Drawer } from '../components/overlays/drawer.tsx';
import { Layer } from '../components/overlays/layer.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { Announcer } from './announcer.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { useShortcuts } from './shortcuts.ts';
import { UserMenu } from './user-menu.tsx';

const Palette = lazy(() => import('./palette.tsx'));
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx'));

/** The frame of every page: menu on the left, a top bar in narrow windows. */
export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const [location] = useLocation();
  const [overlay, setOverlay] = useState<'none' | 'menu' | 'palette' | 'shortcuts'>('none');
  const main = useRef<HTMLElement>(null);
  useShortcuts({ openPalette: () => setOverlay('palette'), openSheet: () => setOverlay('shortcuts') });
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes what lies above the page
  useEffect(() => setOverlay('none'), [location]);
  const close = (): void => setOverlay('none');
  return (
    <Layer>
      {(layer) => (
        <>
          <a
            href="#main"
            className="fixed top-2 left-2 z-50 -translate-y-16 rounded bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
          >
            Skip to content
          </a>
          <div className="min-h-dvh md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
            <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-canvas md:flex">
              <Side openPalette={() => setOverlay('palette')} />
            </aside>
            <div className="min-w-0">
              <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-canvas px-3 md:hidden">
                <IconButton icon="menu" label="Menu" tooltip={false} onClick={() => setOverlay('menu')} />
                <Link href="/" plain className="flex items-center gap-2 font-semibold">
                  <Logo />
                  Turnpike
                </Link>
                <IconButton
                  icon="search"
                  label="Search"
                  tooltip={false}
                  className="ml-auto"
                  onClick={() => setOverlay('palette')}
                />
              </header>
              <main ref={main} id="main" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 sm:px-8 md:py-8">
                {children}
                {layer}
              </main>
            </div>
          </div>
          <Drawer open={overlay === 'menu'} onClose={close} side="left" width="narrow" title="Turnpike">
            <div className="-mx-5 -mt-2 flex min-h-full flex-col">
              <Side />
            </div>
          </Drawer>
          <Suspense fallback={null}>
            {overlay === 'palette' && <Palette onClose={close} />}
            {overlay === 'shortcuts' && <ShortcutSheet onClose={close} />}
          </Suspense>
          <Announcer main={main} />
        </>
      )}
    </Layer>
  );
}

/** With `openPalette` it is the side of a wide window; without, the drawer of a narrow one, which has a heading already. */
function Side({ openPalette }: { readonly openPalette?: () => void }): ReactElement {
  return (
    <>
      {openPalette !== undefined && (
        <div className="px-3 pt-4 pb-1">
          <Link
            href="/"
            plain
            className="flex items-center gap-2.5 rounded px-2 py-1 text-lg font-semibold tracking-tight"
          >
            <Logo />
            Turnpike
          </Link>
        </div>
      )}
      <div className="px-3 py-2">
        <AccountSwitcher />
      </div>
      {openPalette !== undefined && (
        <div className="px-3 pb-2">
          <button
            type="button"
            onClick={openPalette}
            className="flex h-8 w-full items-center gap-2.5 rounded px-2 text-muted hover:bg-sunken hover:text-text"
          >
            <Icon name="search" />
            Search
            <kbd className="ml-auto font-sans text-xs text-faint">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        </div>
      )}
      <Navigation />
      <div className="mt-auto border-t p-3">
        <UserMenu />
      </div>
    </>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
