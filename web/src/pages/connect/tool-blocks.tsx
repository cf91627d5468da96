import type { ReactElement } from 'react';
import { CodeBlock, Note } from '../../components/index.ts';
import { type Connection, problemsOf, type Tool } from './tool.ts';

/** How a tool is set up, filled in. */
export function ToolBlocks({
  tool,
  connection,
}: {
  readonly tool: Tool;
  readonly connection: Connection;
}): ReactElement {
  const note = tool.notes?.(connection) ?? null;
  return (
    <div className="flex flex-col gap-4">
      {tool.intro !== undefined && <p className="text-muted">{tool.intro}</p>}
      {problemsOf(tool, connection).map((problem) => (
        <Note key={problem} tone="warn">
          {problem}
        </Note>
      ))}
      {tool.blocks(connection).map((block) => (
        <CodeBlock key={block.title} title={block.title} code={block.code} copyLabel={`Copy ${block.title}`} />
      ))}
      {note !== null && <p className="text-sm text-muted">{note}</p>}
      <p className="text-sm">
        <a
          href={tool.documentation}
          target="_blank"
          rel="noreferrer"
          className="text-accent-text underline underline-offset-2"
        >
          {tool.name} documentation
        </a>
      </p>
    </div>
  );
}
