/** Tools as function declarations: https://ai.google.dev/gemini-api/docs/function-calling */
import type { ChatRequest, Tool } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { functionsOf } from '../../kit/request/custom-tools.ts';
import { takesTools } from '../../kit/request/takes-tools.ts';
import type { DialectTarget } from '../quirks.ts';
import { googleSchema } from './google-schema.ts';
import { wireToolName } from './tool-names.ts';
import type { Written } from './written.ts';

/** `tools` and `toolConfig`. Throws `GatewayError` 400 when the model does not accept tools: without them it would be another request. */
export function writeTools(request: ChatRequest, target: DialectTarget, warnings: Set<string>): Written {
  const { toolChoice, parallelTools } = request;
  if (!takesTools(request, target, warnings)) return {};
  const tools = functionsOf(request.tools, warnings);
  if (parallelTools === false)
    warnings.add('parallel_tool_calls was left out: this provider cannot limit a model to one call at a time');
  const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool';
  // With ANY the API always follows the schemas.
  if (!isForced && tools.some(({ strict }) => strict === true))
    warnings.add('strict tools were sent without strict: this provider does not enforce their schemas');
  return {
    tools: [{ functionDeclarations: tools.map((tool, index) => writeTool(tool, index, target, warnings)) }],
    ...writeChoice(toolChoice),
  };
}

function writeTool(tool: Tool, index: number, target: DialectTarget, warnings: Set<string>): Written {
  const { name, description, schema } = tool;
  if (name === '') throw invalid(`tools[${index}].name`, 'A tool must have a name.');
  return {
    name: wireToolName(name),
    // The API requires one.
    description: description ?? '',
    ...(target.quirks.jsonSchema
      ? { parametersJsonSchema: objectRoot(schema) }
      : parameters(googleSchema(schema, `tools[${index}]`, warnings))),
  };
}

/** The API takes only an object, and says so. */
function objectRoot(schema: Tool['schema']): Tool['schema'] {
  if (schema['type'] === 'object') return schema;
  return Object.keys(schema).length === 0 ? { type: 'object', properties: {} } : { ...schema, type: 'object' };
}

/** Older models refuse an object without properties. */
function parameters(schema: Written): Written {
  const { properties } = schema;
  const isEmpty = properties === undefined || Object.keys(properties as object).length === 0;
  return isEmpty && schema['anyOf'] === undefined ? {} : { parameters: schema };
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig */
function writeChoice(choice: ChatRequest['toolChoice']): Written {
  const config = (mode: string, more: Written = {}) => ({ toolConfig: { functionCallingConfig: { mode, ...more } } });
  switch (choice?.type) {
    case 'auto':
      return config('AUTO');
    case 'none':
      return config('NONE');
    case 'required':
      return config('ANY');
    case 'tool':
      return config('ANY', { allowedFunctionNames: [wireToolName(choice.name)] });
    case undefined:
      return {};
  }
}
