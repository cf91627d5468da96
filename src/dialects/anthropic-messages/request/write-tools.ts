/**
 * Tools for the Messages API.
 *
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
import type { ChatRequest, Tool } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { answerSchema, isExpressible } from '../../kit/request/answer-schema.ts';
import { functionsOf } from '../../kit/request/custom-tools.ts';
import { objectSchema } from '../../kit/request/object-schema.ts';
import type { CacheMarks, WireBlock } from './cache-marks.ts';
import { TOOL_NAME_LENGTH_MAX, wireName } from './write-content.ts';

/** Throws `GatewayError` 400 for a name that the API does not accept: under another name the caller would not recognise its tool. */
export function writeTools(request: ChatRequest, marks: CacheMarks, warnings: Set<string>): WireBlock[] {
  if (request.tools.length === 0) return namesOfCalls(request, warnings);
  return functionsOf(request.tools, warnings).map((tool, index) => writeTool(tool, `tools[${index}]`, marks, warnings));
}

/**
 * `tool_choice`, or nothing. `thinks`: whether the model will think; it cannot then be forced to call a tool:
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#extended-thinking-with-tool-use
 */
export function writeToolChoice(
  request: ChatRequest,
  hasTools: boolean,
  thinks: boolean,
  warnings: Set<string>,
): WireBlock {
  const { toolChoice, parallelTools } = request;
  if (!hasTools) return {};
  // The tools are there only because of the history.
  if (request.tools.length === 0) return { tool_choice: { type: 'none' } };
  let choice: WireBlock | null = null;
  switch (toolChoice?.type) {
    case 'none':
      return { tool_choice: { type: 'none' } };
    case 'auto':
      choice = { type: 'auto' };
      break;
    case 'required':
      choice = { type: 'any' };
      break;
    case 'tool':
      choice = { type: 'tool', name: toolChoice.name };
      break;
    case undefined:
      // Parallel calls are disabled inside a choice.
      if (parallelTools === false) choice = { type: 'auto' };
  }
  if (choice === null) return {};
  if (thinks && choice['type'] !== 'auto') {
    warnings.add('tool_choice was changed to auto: this model cannot be forced to call a tool while thinking');
    choice = { type: 'auto' };
  }
  if (parallelTools === false) choice['disable_parallel_tool_use'] = true;
  return { tool_choice: choice };
}

const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

function writeTool(tool: Tool, place: string, marks: CacheMarks, warnings: Set<string>): WireBlock {
  if (!TOOL_NAME.test(tool.name) || tool.name.length > TOOL_NAME_LENGTH_MAX) {
    throw invalid(`${place}.name`, `A tool's name must be 1 to ${TOOL_NAME_LENGTH_MAX} letters, digits, "_" or "-".`);
  }
  const schema = objectSchema(tool.schema, warnings);
  if (tool.strict === true && !isExpressible(schema)) {
    throw unsupported(
      place,
      'This provider cannot enforce the schema of a strict tool with objects of arbitrary property names; ' +
        'name the properties, or send the tool without "strict".',
    );
  }
  const written: WireBlock = {
    name: tool.name,
    ...(tool.description !== null && { description: tool.description }),
    // All strict schemas have the same rules as an answer's schema.
    input_schema: tool.strict === true ? answerSchema(schema, warnings) : schema,
    ...(tool.strict !== null && { strict: tool.strict }),
  };
  return marks.mark(written, tool.cache);
}

/** Some servers of this format refuse a history with calls of tools that are not in the request. */
function namesOfCalls(request: ChatRequest, warnings: Set<string>): WireBlock[] {
  const names = new Set<string>();
  for (const turn of request.turns) {
    if (turn.role !== 'assistant') continue;
    for (const block of turn.blocks) if (block.type === 'tool_call') names.add(wireName(block.name));
  }
  if (names.size > 0) warnings.add('the tools of earlier turns were declared again, but cannot be called');
  return [...names].map((name) => ({ name, input_schema: { type: 'object', properties: {} } }));
}
