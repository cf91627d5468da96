/** The key that requests are tried with: in this page's memory, and in no storage, address or form that is submitted. */
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames, Field } from '../../components/index.ts';
import { useControl } from '../../components/inputs/field.tsx';
import { controlClasses } from '../../components/inputs/inputs.tsx';

interface ApiKey {
  readonly key: string;
  readonly setKey: (key: string) => void;
}

const Context = createContext<ApiKey>({ key: '', setKey: () => undefined });

export function ApiKeyProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [key, setKey] = useState('');
  const value = useMemo(() => ({ key, setKey }), [key]);
  return <Context value={value}>{children}</Context>;
}

export function useApiKey(): ApiKey {
  return useContext(Context);
}

/** One field for every route of the page. It has no name, so that no form would ever send it. */
export function ApiKeyField(): ReactElement {
  const { key, setKey } = useApiKey();
  return (
    <Field label="API key" hint="Stays in the memory of this page. It is never stored, and sent to this gateway only.">
      <KeyInput value={key} onInput={setKey} />
    </Field>
  );
}

interface KeyInputProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** React writes the value of an input that it controls into the page, as an attribute: this one it does not control. */
function KeyInput({ value, onInput }: KeyInputProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <input
      {...useControl()}
      ref={input}
      type="password"
      onInput={(event) => onInput(event.currentTarget.value)}
      placeholder="sk-tp-…"
      autoComplete="off"
      spellCheck={false}
      data-1p-ignore=""
      data-lpignore="true"
      className={classNames(controlClasses, 'h-9 font-mono text-sm')}
    />
  );
}
