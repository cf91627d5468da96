import { type ReactElement, useState } from 'react';
import { Button, Dialog, SecretOnce, Tabs } from '../../components/index.ts';
import { environmentFile } from '../connect/agents.tsx';
import { useConnection } from '../connect/connection.ts';
import { ToolBlocks } from '../connect/tool-blocks.tsx';
import { firstTools } from '../connect/tools.tsx';
import { useModelToTry } from '../connect/use-model-to-try.ts';

export interface SecretDialogProps {
  readonly title: string;
  readonly description?: string;
  readonly secret: string;
  /** Of a key that calls models; a management key calls none. */
  readonly hasSnippets: boolean;
  readonly onClose: () => void;
}

/** A new secret, once. Only the button closes it. */
export function SecretDialog({ title, description, secret, hasSnippets, onClose }: SecretDialogProps): ReactElement {
  const connection = { ...useConnection(useModelToTry()), key: secret };
  const [tool, setTool] = useState('curl');
  return (
    <Dialog
      open
      dismissible={false}
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <Button kind="primary" onClick={onClose}>
          I saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <SecretOnce
          name="API key"
          secret={secret}
          file={{ name: '.env', text: hasSnippets ? environmentFile(connection) : `TURNPIKE_KEY=${secret}\n` }}
        />
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
    </Dialog>
  );
}
