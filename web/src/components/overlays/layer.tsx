/**
 * Where floating lists and menus are put: within the main landmark, so that screen readers that move between
 * landmarks find them. Within a dialog they stay in the dialog, because everything else is inert then.
 */
import { createContext, type ReactElement, type ReactNode, type RefObject, useContext, useRef } from 'react';

const Context = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/** Around the shell; `children` receives the element to place within the main landmark. */
export function Layer({ children }: { readonly children: (layer: ReactElement) => ReactNode }): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  return <Context value={element}>{children(<div ref={element} />)}</Context>;
}

/** Around the content of a dialog. */
export function OwnLayer({ children }: { readonly children: ReactNode }): ReactElement {
  return <Context value={undefined}>{children}</Context>;
}

/** The `container` of a portal. */
export function useLayer(): RefObject<HTMLElement | null> | undefined {
  return useContext(Context);
}
