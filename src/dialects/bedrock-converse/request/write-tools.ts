/** Tools for Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html */
import type { ChatRequest, Tool, ToolChoice } from '../../../chat/request.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { answerSchema, isExpressible } from '../../kit/request/answer-schema.ts';
import { functionsOf } from '../../kit/request/custom-tools.ts';
import { objectSchema } from '../../kit/request/object-schema.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import type { DialectTarget } from '../quirks.ts';
import type { CachePoints, WireBlock } from './cache-points.ts';

export interface WrittenTools {
  /** `toolConfig`; null without tools. */
  readonly config: WireBlock | null;
  /** An instruction for what the format has no field for. */
  readonly instruction: string | null;
  /** Claude's own `tool_choice`; null if the format's is enough. */
  readonly claudeChoice: WireBlock | null;
}

/**
 * `thinks`: whether the model will think; it cannot then be forced to call a tool. Throws `GatewayError` 400 for a choice that the model does
 * not know: without it, the request would be another one.
 */
export function writeTools(
  request: ChatRequest,
  target: DialectTarget,
  thinks: boolean,
  points: CachePoints,
  warnings: Set<string>,
): WrittenTools {
  const calls = namesOfCalls(request);
  const forbids = request.toolChoice?.type === 'none' || request.tools.length === 0;
  // The format cannot forbid calls, so tools that must not be called are not sent, unless the history has calls: it is then refused
  // without them.
  if (forbids && calls.size === 0) return NO_TOOLS;
  if (target.parameters?.has('tools') === false) throw unsupported('tools', 'This model does not support tools.');
  const tools: WireBlock[] = [];
  for (const [index, tool] of functionsOf(request.tools, warnings).entries()) {
    tools.push({ toolSpec: writeTool(tool, `tools[${index}]`, target, warnings) });
    points.add(tools, tool.cache, true);
  }
  if (request.tools.length === 0) {
    warnings.add('the tools of earlier turns were declared again, with the instruction not to call them');
    for (const name of calls) tools.push({ toolSpec: { name, inputSchema: { json: ANY_OBJECT } } });
  } else if (forbids) {
    warnings.add('tool_choice none was sent as an instruction: this format cannot forbid calls');
  }
  if (forbids) return { config: { tools }, instruction: NO_CALLS, claudeChoice: null };
  const choice = writeChoice(request.toolChoice, target, thinks, warnings);
  const oneAtATime = request.parallelTools === false ? onlyOne(target, choice, warnings) : null;
  const toolChoice = oneAtATime === null ? choice : null;
  return {
    config: { tools, ...(toolChoice !== null && { toolChoice }) },
    instruction: null,
    claudeChoice: oneAtATime,
  };
}

const NO_TOOLS: WrittenTools = { config: null, instruction: null, claudeChoice: null };
const NO_CALLS = 'Do not call any tool; answer in words.';
const ANY_OBJECT = { type: 'object', properties: {} };

/** Null for the default. */
function writeChoice(
  choice: ToolChoice | null,
  { quirks }: DialectTarget,
  thinks: boolean,
  warnings: Set<string>,
): WireBlock | null {
  if (choice === null || choice.type === 'none') return null;
  if (choice.type === 'auto') return { auto: {} };
  if (thinks) {
    warnings.add('tool_choice was changed to auto: this model cannot be forced to call a tool while thinking');
    return { auto: {} };
  }
  if (choice.type !== 'tool') {
    if (!quirks.forcedChoices.includes('any')) throw unforced('to call a tool');
    return { any: {} };
  }
  if (!quirks.forcedChoices.includes('tool')) throw unforced('to call a certain tool');
  return { tool: { name: wireToolName(choice.name) } };
}

function unforced(what: string): GatewayError {
  return unsupported('tool_choice', `This model cannot be forced ${what}; send "auto".`);
}

/** Only Claude has a field for it; the format's own field must then not be set. */
function onlyOne({ quirks }: DialectTarget, choice: WireBlock | null, warnings: Set<string>): WireBlock | null {
  const isAuto = choice === null || 'auto' in choice;
  if (quirks.family === 'claude' && isAuto) return { type: 'auto', disable_parallel_tool_use: true };
  warnings.add('parallel_tool_calls was left out, because this model has no field for it');
  return null;
}

function writeTool(tool: Tool, place: string, target: DialectTarget, warnings: Set<string>): WireBlock {
  if (tool.name === '') throw invalid(`${place}.name`, 'A tool must have a name.');
  const schema = objectSchema(tool.schema, warnings);
  const isStrict = tool.strict === true && takesStrict(schema, place, target, warnings);
  return {
    name: wireToolName(tool.name),
    ...(tool.description !== null && tool.description !== '' && { description: tool.description }),
    inputSchema: { json: isStrict ? answerSchema(schema, warnings) : schema },
    ...(isStrict && { strict: true }),
  };
}

function takesStrict(schema: Tool['schema'], place: string, target: DialectTarget, warnings: Set<string>): boolean {
  if (!target.quirks.answerSchema) {
    warnings.add('strict was left out of a tool, because this model cannot enforce a schema');
    return false;
  }
  if (isExpressible(schema)) return true;
  throw unsupported(
    place,
    'This provider cannot enforce the schema of a strict tool with objects of arbitrary property names; ' +
      'name the properties, or send the tool without "strict".',
  );
}

/** A history with calls is refused if the request declares no tools. */
function namesOfCalls(request: ChatRequest): ReadonlySet<string> {
  const names = new Set<string>();
  for (const turn of request.turns) {
    if (turn.role !== 'assistant') continue;
    for (const block of turn.blocks) if (block.type === 'tool_call') names.add(wireToolName(block.name));
  }
  return names;
}
