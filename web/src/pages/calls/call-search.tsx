import { type ReactElement, useState } from 'react';
import { IconButton, TextInput } from '../../components/index.ts';
import { useGo } from '../../navigation/use-go.ts';

/** Opens a request by its generation ID or request ID. */
export function CallSearch(): ReactElement {
  const go = useGo();
  const [id, setId] = useState('');
  return (
    <search className="w-80 max-w-full">
      <form
        className="flex items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          const text = id.trim();
          if (text !== '') go(`/calls/${encodeURIComponent(text)}`);
        }}
      >
        <TextInput
          value={id}
          onChange={setId}
          type="search"
          mono
          aria-label="Go to request ID"
          placeholder="Request ID: gen-… or req_…"
          autoComplete="off"
          spellCheck={false}
          className="h-8"
        />
        <IconButton icon="right" type="submit" label="Go to request" disabled={id.trim() === ''} />
      </form>
    </search>
  );
}
