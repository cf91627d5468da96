import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactElement, type ReactNode, type RefObject, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { OwnLayer } from './layer.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the main one last. They stay visible while the content scrolls. */
  readonly footer?: ReactNode;
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** False: neither Escape nor a click outside closes it, because something would be lost. */
  readonly dismissible?: boolean;
  /** What gets the focus first; else the first field, and without one the close button. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

const WIDTHS = { narrow: 'sm:max-w-md', normal: 'sm:max-w-xl', wide: 'sm:max-w-3xl' } as const;

/** The first field to fill in; the close button comes before it. */
const FIELDS = 'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)';

/** The submit button, while it submits. */
const BUSY = 'button[type="submit"][aria-busy="true"]';

/**
 * Centred over the page; at the bottom on a phone. For a form put a `<form id>` inside and `form={id}` on the button.
 * While that button is `loading` nothing closes the dialog: the answer may be a secret that is shown once.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = 'normal',
  dismissible = true,
  initialFocus,
}: DialogProps): ReactElement {
  const content = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const isBusy = (): boolean => popup.current?.querySelector(BUSY) != null;
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(next, details) => {
        if (next) return;
        if (isBusy() || (!dismissible && details.reason === 'escape-key')) return details.cancel();
        onClose();
      }}
    >
      <Base.Portal>
        <OwnLayer>
          <Base.Backdrop className="fade fixed inset-0 z-40 bg-overlay" />
          <Base.Viewport className="fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6">
            <Base.Popup
              ref={popup}
              initialFocus={initialFocus ?? (() => content.current?.querySelector<HTMLElement>(FIELDS) ?? true)}
              className={classNames(
                'fade flex max-h-[92dvh] w-full flex-col rounded-t-lg border bg-surface shadow-raised sm:max-h-full sm:rounded-lg',
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
                {dismissible && (
                  <Base.Close render={<IconButton icon="close" label="Close" tooltip={false} className="-mr-2" />} />
                )}
              </div>
              <div ref={content} className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">
                {children}
              </div>
              {footer !== undefined && (
                <div
                  onClickCapture={(event) => {
                    if (isBusy()) event.stopPropagation();
                  }}
                  className="flex flex-wrap justify-end gap-2 border-t px-5 py-3 has-[[type=submit][aria-busy]]:[&_button]:opacity-55"
                >
                  {footer}
                </div>
              )}
            </Base.Popup>
          </Base.Viewport>
        </OwnLayer>
      </Base.Portal>
    </Base.Root>
  );
}
