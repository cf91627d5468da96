import type { ReactElement } from 'react';
import { useSession } from '../api/session.ts';
import { Dialog } from '../components/overlays/dialog.tsx';
import { pages } from '../routes.tsx';

/** `?` shows it. */
export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { user } = useSession();
  const jumps = pages.filter((route) => route.menu !== undefined && (!route.operator || user.is_operator));
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" width="narrow">
      <dl className="flex flex-col gap-2">
        <Line keys={['Ctrl', 'K']} does="Search, and do something" />
        <Line keys={['?']} does="This list" />
        <Line keys={['j', 'k']} does="Next and previous call, in the list of calls" />
        <Line keys={['Esc']} does="Close what lies above the page" />
        {jumps.map((route) => (
          <Line key={route.path} keys={['g', route.menu?.jump ?? '']} does={route.menu?.label ?? ''} />
        ))}
      </dl>
    </Dialog>
  );
}

function Line({ keys, does }: { readonly keys: readonly string[]; readonly does: string }): ReactElement {
  return (
    <div className="flex items-center justify-between gap-4">
      <dt className="text-muted">{does}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd key={key} className="min-w-6 rounded-sm border bg-sunken px-1.5 text-center font-sans text-xs leading-5">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
