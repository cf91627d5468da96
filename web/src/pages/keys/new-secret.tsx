import { type ReactElement, useEffect, useRef, useState } from 'react';
import { SecretOnce, Tabs } from '../../components/index.ts';
import { environmentFile } from '../connect/assistants.ts';
import { useConnection } from '../connect/connection.ts';
import { ToolBlocks } from '../connect/tool-blocks.tsx';
import { firstTools } from '../connect/tools.ts';
import { useModelToTry } from '../connect/use-model-to-try.ts';

export interface NewSecretProps {
  readonly secret: string;
  /** For a key that calls models; management keys do not. */
  readonly hasSnippets: boolean;
}

/** A new secret, shown once in place of the form. It takes over the focus. */
export function NewSecret({ secret, hasSnippets }: NewSecretProps): ReactElement {
  const connection = { ...useConnection(useModelToTry().model), key: secret };
  const [tool, setTool] = useState('curl');
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  // A name of its own: browsers drop the dot of a file named `.env`.
  const file = {
    name: 'turnpike.env',
    text: hasSnippets ? environmentFile(connection) : `TURNPIKE_KEY=${secret}\n`,
  };
  return (
    <div ref={content} className="flex flex-col gap-5">
      <SecretOnce name="API key" secret={secret} file={file} />
      {hasSnippets && (
        <Tabs
          label="Try it"
          value={tool}
          onChange={setTool}
          tabs={firstTools.map((each) => ({
            value: each.id,
            label: each.name,
            content: <ToolBlocks tool={each} connection={connection} />,
          }))}
        />
      )}
    </div>
  );
}
