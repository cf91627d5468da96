import { Toast } from '@base-ui/react/toast';
import type { ReactElement } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';

export interface Notice {
  readonly title: string;
  readonly description?: string;
  readonly kind?: 'good' | 'bad' | 'neutral';
  /** Undoes the action. */
  readonly undo?: () => void;
}

const toasts = Toast.createToastManager();

/** Shows a message at the edge of the page for 5 s (10 s with `undo`). For the results of what the person just did. */
export function notify({ title, description, kind = 'neutral', undo }: Notice): void {
  const id = toasts.add({
    title,
    description,
    type: kind,
    timeout: undo === undefined ? 5000 : 10_000,
    priority: kind === 'bad' ? 'high' : 'low',
    ...(undo === undefined
      ? {}
      : {
          actionProps: {
            children: 'Undo',
            onClick: () => {
              toasts.close(id);
              undo();
            },
          },
        }),
  });
}

/** Once, around the page. */
export function Toasts(): ReactElement {
  return (
    <Toast.Provider toastManager={toasts} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown(): ReactElement[] {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={classNames(
        'fade flex items-start gap-3 rounded-lg border bg-surface py-2 pr-2 pl-4 shadow-raised',
        toast.type === 'bad' && 'border-l-4 border-l-bad',
        toast.type === 'good' && 'border-l-4 border-l-good',
      )}
    >
      <Toast.Content className="flex min-w-0 flex-1 items-start gap-3">
        <div className="min-w-0 flex-1 py-1.5">
          <Toast.Title className="font-medium wrap-anywhere" />
          <Toast.Description className="mt-0.5 text-sm wrap-anywhere text-muted" />
        </div>
        <Toast.Action className="h-8 rounded px-2 font-medium text-accent-text hover:bg-sunken" />
        <Toast.Close render={<IconButton icon="close" label="Close" tooltip={false} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
