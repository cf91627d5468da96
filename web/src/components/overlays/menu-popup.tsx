import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { useGo } from '../../navigation/use-go.ts';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useLayer } from './layer.tsx';
import type { MenuItem, MenuProps } from './menu.tsx';

/** A menu that has been opened: a separate module, fetched when the first one is needed. */
export default function MenuPopup({
  trigger,
  items,
  header,
  align = 'end',
  side = 'bottom',
}: MenuProps & { readonly trigger: ReactElement<Record<string, unknown>> }): ReactElement {
  const go = useGo();
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal container={useLayer()}>
        <Base.Positioner sideOffset={4} align={align} side={side} className="z-50">
          <Base.Popup className="fade max-h-(--available-height) min-w-48 overflow-y-auto rounded-lg border bg-surface py-1 shadow-raised outline-none">
            {header !== undefined && <div className="border-b px-3 pt-1 pb-2 mb-1">{header}</div>}
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu keep their places
              <Entry key={index} item={item} go={go} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ item, go }: { readonly item: MenuItem; readonly go: (path: string) => void }): ReactElement {
  return (
    <>
      {item.separated && <Base.Separator className="my-1 h-px bg-line" />}
      <Base.Item
        disabled={item.disabled}
        onClick={() => (item.href === undefined ? item.onSelect?.() : go(item.href))}
        className={classNames(
          'mx-1 flex cursor-default items-center gap-2.5 rounded px-2 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-sunken',
          item.danger && 'text-bad-text',
        )}
      >
        {item.icon !== undefined && <Icon name={item.icon} className={item.danger ? '' : 'text-muted'} />}
        <span className="min-w-0 flex-1">
          <span className={classNames('block truncate', item.muted && 'text-muted')}>{item.label}</span>
          {item.hint !== undefined && <span className="block truncate text-xs text-muted">{item.hint}</span>}
        </span>
        {item.checked && (
          <>
            <Icon name="check" className="text-accent-text" />
            <span className="sr-only">(selected)</span>
          </>
        )}
      </Base.Item>
    </>
  );
}
