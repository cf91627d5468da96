/**
 * The page with each generated part replaced: the text between `<!-- generated: name -->` and
 * `<!-- /generated -->`. Throws if page and tables do not have the same parts.
 */
export function fillSections(page: string, tables: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(tables));
  const filled = page.replace(PART, (_whole, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`the page has a part "${name}" that nothing generates`);
    unused.delete(name);
    return `<!-- generated: ${name} -->\n${table}\n<!-- /generated -->`;
  });
  if (unused.size > 0) throw new Error(`the page has no part ${[...unused].join(', ')}`);
  return filled;
}

const PART = /<!-- generated: ([\w-]+) -->\n[\s\S]*?<!-- \/generated -->/g;
