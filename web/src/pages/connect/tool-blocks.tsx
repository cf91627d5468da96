import type { ReactElement } from 'react';
import { CodeBlock } from '../../components/index.ts';
import type { Connection } from './connection.ts';
import type { Tool } from './tools.tsx';

/** How a tool is set up, filled in. */
export function ToolBlocks({
  tool,
  connection,
}: {
  readonly tool: Tool;
  readonly connection: Connection;
}): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      {tool.intro !== undefined && <p className="text-muted">{tool.intro}</p>}
      {tool.warning?.(connection)}
      {tool.blocks(connection).map((block) => (
        <CodeBlock key={block.title} title={block.title} code={block.code} copyLabel={`Copy: ${block.title}`} />
      ))}
      {tool.notes?.(connection)}
    </div>
  );
}
