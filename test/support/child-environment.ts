/**
 * What a child gets of this process's environment: nothing that could configure it or leak, only the folder of
 * compiled code (`scripts/setup.mjs`), without which each start takes twice as long.
 */
export function childEnvironment(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return { ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }), ...added };
}
