/**
 * Where lists and menus that float are put: within the main landmark, so that screen readers that go from landmark to
 * landmark find them. Within a dialog they stay with the dialog, for all else is out of reach then.
 */
import { createContext, type ReactElement, type ReactNode, type RefObject, useContext, useRef } from 'react';

const Context = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/** Around the shell; `children` is given the element to place within the main landmark. */
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
