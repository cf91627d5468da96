/** Writes tools and the tool choice: https://platform.openai.com/docs/guides/function-calling */
import type { ChatRequest, Tool, ToolChoice } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { functionsOf } from '../../kit/request/custom-tools.ts';
import { writtenStrict } from '../../kit/request/strict-schema.ts';
import { takesSetting, takesTools } from '../../kit/request/takes-tools.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import type { DialectTarget } from '../quirks.ts';

/** Throws `GatewayError` 400 when the model does not accept tools: without them it would be another request. */
export function writeTools(request: ChatRequest, target: DialectTarget, warnings: Set<string>): JsonObject {
  const { tools, toolChoice, parallelTools } = request;
  if (!takesTools(request, target, warnings)) return {};
  const sent = target.quirks.customTools ? tools : functionsOf(tools, warnings);
  const written: Record<string, unknown> = { tools: sent.map((tool) => writeTool(tool, warnings)) };
  if (toolChoice !== null && takesSetting(target, 'tool_choice', toolChoice.type === 'auto', warnings)) {
    written['tool_choice'] = writeChoice(toolChoice, sent);
  }
  if (parallelTools !== null && takesSetting(target, 'parallel_tool_calls', parallelTools, warnings)) {
    written['parallel_tool_calls'] = parallelTools;
  }
  return written;
}

/** Without `strict`, the provider would try to enforce the schema; elsewhere it is not enforced unless that is asked for. */
function writeTool({ name, description, schema, strict, custom }: Tool, warnings: Set<string>): JsonObject {
  if (custom !== undefined) {
    const format = custom.grammar === null ? undefined : { type: 'grammar', ...custom.grammar };
    return { type: 'custom', name: wireToolName(name), description: description ?? undefined, format };
  }
  return {
    type: 'function',
    name: wireToolName(name),
    description: description ?? undefined,
    parameters: schema,
    strict: writtenStrict(strict, schema, 'a tool', warnings) ?? false,
  };
}

function writeChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  if (choice.type !== 'tool') return choice.type;
  const isCustom = tools.some((tool) => tool.name === choice.name && tool.custom !== undefined);
  return { type: isCustom ? 'custom' : 'function', name: wireToolName(choice.name) };
}
