/** The API key for test requests. It is kept in memory only: not in storage, in the address, or in a submitted form. */
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

/** The field has no name, so no form would ever submit it. */
export function ApiKeyField(): ReactElement {
  const { key, setKey } = useApiKey();
  return (
    <Field label="API key" hint="Kept in this page's memory only, and sent to this gateway only.">
      <KeyInput value={key} onInput={setKey} />
    </Field>
  );
}

interface KeyInputProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Uncontrolled, because React writes the value of a controlled input into the DOM as an attribute. */
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
