/** A page that is fetched when it is first needed, and shown without a wait if it was fetched before. */
import { type ComponentType, createElement, lazy, type ReactElement } from 'react';

export type PageProps = Readonly<Record<string, string | undefined>>;

export interface LazyPage {
  (props: { readonly params: PageProps }): ReactElement;
  /** Fetches it ahead of time; a failure is shown when the page is opened. */
  preload(): void;
}

/** A part of the dashboard that did not load. A browser does not fetch it again for the same document. */
export class PageNotFetched extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded.', { cause });
  }
}

export function lazyPage(load: () => Promise<{ readonly default: ComponentType<{ params: PageProps }> }>): LazyPage {
  let loaded: ComponentType<{ params: PageProps }> | null = null;
  const fetchPage = async (): Promise<{ readonly default: ComponentType<{ params: PageProps }> }> => {
    const module = await load().catch((cause: unknown) => {
      throw new PageNotFetched(cause);
    });
    loaded = module.default;
    return module;
  };
  const Waiting = lazy(fetchPage);
  const Page = ({ params }: { readonly params: PageProps }): ReactElement =>
    createElement(loaded ?? Waiting, { params: params as PageProps });
  return Object.assign(Page, {
    preload(): void {
      if (loaded === null) fetchPage().catch(() => undefined);
    },
  });
}
