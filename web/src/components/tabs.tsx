import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactElement, ReactNode } from 'react';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly tabs: readonly Tab<Value>[];
  /** What the tabs are of, for screen readers. */
  readonly label: string;
}

/** Only the content of the selected tab is rendered. Keep the value in the address with `useQueryState`. */
export function Tabs<Value extends string>({ value, onChange, tabs, label }: TabsProps<Value>): ReactElement {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <div className="overflow-x-auto border-b [scrollbar-width:none]">
        <Base.List aria-label={label} className="flex w-max gap-5">
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              className="-mb-px border-b-2 border-transparent px-0.5 pt-1 pb-2 font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-text data-active:border-accent-text data-active:text-text"
            >
              {tab.label}
            </Base.Tab>
          ))}
        </Base.List>
      </div>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
