/** JSON to be read: a value that fits stays on one line. */
const WIDTH = 110;

export function indented(value: unknown, margin = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || margin.length + line.length <= WIDTH) return line;
  const inner = `${margin}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${inner}${indented(item, inner)}`).join(',\n')}\n${margin}]`;
  const lines = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${inner}${JSON.stringify(name)}: ${indented(field, inner)}`);
  return `{\n${lines.join(',\n')}\n${margin}}`;
}
