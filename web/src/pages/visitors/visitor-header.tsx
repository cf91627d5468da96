import type { ReactElement } from 'react';
import { IconButton, LinkButton } from '../../components/index.ts';
import { openDocs } from '../../navigation/open-docs.ts';
import { useTheme } from '../../navigation/theme.ts';
import { Logo } from '../../shell/logo.tsx';

/** The top of a page for somebody who is not signed in. */
export function VisitorHeader(): ReactElement {
  const { theme, choose } = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <header className="border-b">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-4 sm:px-8">
        <span className="mr-auto flex items-center gap-2.5 font-semibold tracking-tight">
          <Logo />
          Turnpike
        </span>
        <IconButton
          icon={other === 'dark' ? 'moon' : 'sun'}
          label={`Use the ${other} theme`}
          onClick={() => choose(other)}
        />
        <IconButton icon="docs" label="Docs" onClick={openDocs} />
        <LinkButton href="/sign-in?next=/models">Sign in</LinkButton>
      </div>
    </header>
  );
}
