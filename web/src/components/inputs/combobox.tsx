import { Combobox as Base } from '@base-ui/react/combobox';
import type { ReactElement } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useLayer } from '../overlays/layer.tsx';
import { useControl } from './field.tsx';
import { controlClasses } from './inputs.tsx';
import type { Option } from './select.tsx';

export interface ComboboxProps {
  /** Null: nothing is chosen. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly options: readonly Option[];
  readonly placeholder?: string;
  readonly 'aria-label'?: string;
  /** Shown when no option matches. */
  readonly none?: string;
  readonly size?: 'small' | 'normal';
  readonly className?: string;
}

/** A list to search in, for more options than a `<Select>` should have: models, keys. */
export function Combobox({
  value,
  onChange,
  options,
  placeholder,
  none = 'No matches.',
  size = 'normal',
  className,
  ...rest
}: ComboboxProps): ReactElement {
  const chosen = options.find((option) => option.value === value) ?? null;
  return (
    <Base.Root
      items={options as Option[]}
      value={chosen}
      onValueChange={(option: Option | null) => onChange(option?.value ?? null)}
      itemToStringLabel={(option: Option) => option.label}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      limit={200}
    >
      <span className={classNames('relative inline-flex min-w-0 items-center', className ?? 'w-full')}>
        <Base.Input
          {...useControl()}
          {...rest}
          placeholder={placeholder}
          className={classNames(controlClasses, 'pr-14', size === 'small' ? 'h-8 text-sm' : 'h-9')}
        />
        <span className="absolute right-1 flex items-center text-muted">
          {chosen !== null && (
            <Base.Clear aria-label="Clear" className="flex size-6 items-center justify-center rounded hover:bg-sunken">
              <Icon name="close" className="size-3" />
            </Base.Clear>
          )}
          <Base.Trigger
            aria-label="Show options"
            className="flex size-6 items-center justify-center rounded hover:bg-sunken"
          >
            <Icon name="down" />
          </Base.Trigger>
        </span>
      </span>
      <Base.Portal container={useLayer()}>
        <Base.Positioner sideOffset={4} align="start" className="z-50">
          <Base.Popup className="fade max-h-[min(20rem,var(--available-height))] w-max max-w-[min(28rem,var(--available-width))] min-w-(--anchor-width) overflow-y-auto rounded-lg border bg-surface py-1 shadow-raised">
            <Base.Empty className="empty:hidden px-3 py-2 text-sm text-muted">{none}</Base.Empty>
            <Base.List>
              {(option: Option) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  className="mx-1 flex cursor-default items-center gap-2 rounded px-2 py-1.5 text-sm data-highlighted:bg-accent-soft"
                >
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  <Base.ItemIndicator>
                    <Icon name="check" className="text-accent-text" />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
