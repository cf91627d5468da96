/** Whether a translated request may have tools, and settings of them. */
import type { ChatRequest } from '../../../chat/request.ts';
import type { WriteTarget } from '../../interface/write-target.ts';
import { unsupported } from '../errors/request-errors.ts';

type Parameters = Pick<WriteTarget, 'parameters'>;

/**
 * Whether tools are sent. False if there are none, or the model does not accept any and the caller forbids calls of them. Throws `GatewayError`
 * 400 when the model does not accept tools otherwise: without them it would be another request.
 */
export function takesTools(
  { tools, toolChoice }: Pick<ChatRequest, 'tools' | 'toolChoice'>,
  { parameters }: Parameters,
  warnings: Set<string>,
): boolean {
  if (tools.length === 0) return false;
  if (parameters === null || parameters.has('tools')) return true;
  if (toolChoice?.type !== 'none') throw unsupported('tools', 'This model does not support tools.');
  warnings.add(lossOf('tools'));
  return false;
}

/** Whether a setting of tools, as OpenRouter names it, is sent. What only repeats the provider's default is left out without a warning. */
export function takesSetting(
  { parameters }: Parameters,
  name: 'tool_choice' | 'parallel_tool_calls',
  isDefault: boolean,
  warnings: Set<string>,
): boolean {
  const isTaken = parameters === null || parameters.has(name);
  if (!isTaken && !isDefault) warnings.add(lossOf(name));
  return isTaken;
}

function lossOf(name: string): string {
  return `${name} was left out, because this model does not accept it`;
}
