import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { OwnLayer } from './layer.tsx';

export interface DrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Left of the close button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'right' | 'left';
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** False: the page below can still be used, with j and k for example. */
  readonly modal?: boolean;
}

const WIDTHS = { narrow: 'max-w-72', normal: 'max-w-xl', wide: 'max-w-3xl' } as const;

/** From the side, over the page: for the detail of a row that stays visible. */
export function Drawer({
  open,
  onClose,
  title,
  description,
  actions,
  children,
  side = 'right',
  width = 'normal',
  modal = true,
}: DrawerProps): ReactElement {
  return (
    <Base.Root open={open} modal={modal} disablePointerDismissal={!modal} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <OwnLayer>
          {modal && <Base.Backdrop className="fade fixed inset-0 z-40 bg-overlay" />}
          <Base.Popup
            className={classNames(
              'fixed inset-y-0 z-40 flex w-full flex-col border bg-surface shadow-raised',
              side === 'right' ? 'slide-right right-0' : 'slide-left left-0',
              WIDTHS[width],
            )}
          >
            <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
              <div className="min-w-0">
                <Base.Title className="text-lg font-semibold wrap-anywhere">{title}</Base.Title>
                {description !== undefined && (
                  <Base.Description className="mt-0.5 text-sm text-muted">{description}</Base.Description>
                )}
              </div>
              <div className="flex shrink-0 items-center gap-1">
                {actions}
                <Base.Close render={<IconButton icon="close" label="Close" tooltip={false} className="-mr-2" />} />
              </div>
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
          </Base.Popup>
        </OwnLayer>
      </Base.Portal>
    </Base.Root>
  );
}
