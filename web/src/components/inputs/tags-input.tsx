import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useComplaint } from './complaint.tsx';
import { useControl } from './field.tsx';
import { controlClasses } from './inputs.tsx';

export interface TagsInputProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly placeholder?: string;
  /** Why a tag is rejected, or null. The server decides. */
  readonly check?: (tag: string) => string | null;
  /** Suggested while typing. */
  readonly suggestions?: readonly string[];
  readonly 'aria-label'?: string;
}

/**
 * A list of short texts: model patterns, addresses. Enter, comma or leaving the field adds the input; pasting adds a list.
 * A rejected tag stays in the field, and the surrounding form cannot be sent while it does: a list that is shorter than it looks
 * may allow what it should refuse.
 */
export function TagsInput({ value, onChange, placeholder, check, suggestions, ...rest }: TagsInputProps): ReactElement {
  const control = useControl();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const left = text.trim() === '' ? null : (problem ?? 'Press Enter to add this, or clear the field.');
  const complaint = useComplaint(left, { control, quiet: problem === null });
  const take = (typed: string): void => {
    const found = typed.split(/[\s,;]+/).filter((tag) => tag !== '');
    const wrong = found.map((tag) => check?.(tag) ?? null).find((reason) => reason !== null) ?? null;
    setProblem(wrong);
    if (wrong !== null) return setText(typed);
    if (found.length > 0) onChange([...new Set([...value, ...found])]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if ((event.key === 'Enter' || event.key === ',') && text !== '') {
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  };
  const listId = suggestions === undefined || control.id === undefined ? undefined : `${control.id}-list`;
  return (
    <div>
      <div
        className={classNames(
          controlClasses,
          'flex min-h-9 flex-wrap items-center gap-1 px-1.5 py-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
        )}
      >
        {value.map((tag) => (
          <span
            key={tag}
            className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-sunken pl-2 font-mono text-xs"
          >
            <span className="truncate">{tag}</span>
            <button
              type="button"
              aria-label={`Remove ${tag}`}
              onClick={() => onChange(value.filter((other) => other !== tag))}
              className="flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-text"
            >
              <Icon name="close" className="size-3" />
            </button>
          </span>
        ))}
        <input
          {...control}
          {...complaint.attributes}
          {...rest}
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          list={listId}
          value={text}
          placeholder={value.length === 0 ? placeholder : undefined}
          onChange={(event) => {
            setProblem(null);
            setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => take(text)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (!/[\s,;]/.test(pasted.trim())) return;
            event.preventDefault();
            take(`${text}${pasted}`);
          }}
          className="h-6 min-w-24 flex-1 bg-transparent px-1 font-mono text-sm outline-none"
        />
        {listId !== undefined && (
          <datalist id={listId}>
            {suggestions?.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        )}
      </div>
      {complaint.note}
    </div>
  );
}
