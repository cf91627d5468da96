/** Writes tools and the tool choice. */
import type { ChatRequest, Tool, ToolChoice } from '../../../chat/request.ts';
import { functionsOf } from '../../kit/request/custom-tools.ts';
import { writtenStrict } from '../../kit/request/strict-schema.ts';
import { takesSetting, takesTools } from '../../kit/request/takes-tools.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import type { DialectTarget } from '../quirks.ts';
import { cacheControl, type MessageStyle, type Written } from './cache-marks.ts';

/** Throws `GatewayError` 400 when the model does not accept tools: without them it would be another request. */
export function writeTools(request: ChatRequest, target: DialectTarget, style: MessageStyle): Written {
  const { tools, toolChoice, parallelTools } = request;
  // Servers refuse a tool choice without tools.
  if (!takesTools(request, target, style.warnings)) return {};
  const sent = target.quirks.customTools ? tools : functionsOf(tools, style.warnings);
  const written: Record<string, unknown> = { tools: sent.map((tool) => writeTool(tool, style)) };
  if (toolChoice !== null && takesSetting(target, 'tool_choice', toolChoice.type === 'auto', style.warnings)) {
    written['tool_choice'] = writeChoice(toolChoice, sent);
  }
  if (parallelTools !== null && takesSetting(target, 'parallel_tool_calls', parallelTools, style.warnings)) {
    written['parallel_tool_calls'] = parallelTools;
  }
  return written;
}

function writeTool({ name, description, schema, strict, cache, custom }: Tool, style: MessageStyle): Written {
  if (custom !== undefined) {
    const { grammar } = custom;
    const format = grammar === null ? undefined : { type: 'grammar', grammar };
    return {
      type: 'custom',
      custom: { name: wireToolName(name), description: description ?? undefined, format },
      cache_control: cacheControl(cache, style),
    };
  }
  const strictly = writtenStrict(strict, schema, 'a tool', style.warnings);
  return {
    type: 'function',
    function: { name: wireToolName(name), description: description ?? undefined, parameters: schema, strict: strictly },
    cache_control: cacheControl(cache, style),
  };
}

function writeChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  if (choice.type !== 'tool') return choice.type;
  const name = wireToolName(choice.name);
  const isCustom = tools.some((tool) => tool.name === choice.name && tool.custom !== undefined);
  return isCustom ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } };
}
