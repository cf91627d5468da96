import type { ReactElement } from 'react';
import { useViewer } from '../api/session.ts';
import { Dialog } from '../components/overlays/dialog.tsx';
import { menuEntries } from '../navigation/menu-groups.ts';
import { menuRoutes } from '../routes.tsx';

/** `?` shows it. */
export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const jumps = menuEntries(menuRoutes, useViewer());
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" width="narrow">
      <dl className="flex flex-col gap-2">
        <Line keys={['Ctrl', 'K']} does="Search or jump to…" />
        <Line keys={['?']} does="Show keyboard shortcuts" />
        <Line keys={['j', 'k']} does="Next and previous request in the list" />
        <Line keys={['Esc']} does="Close the dialog or panel" />
        {jumps.map(({ path, menu }) => (
          <Line key={path} keys={['g', menu.jump]} does={`Go to ${menu.label}`} />
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
