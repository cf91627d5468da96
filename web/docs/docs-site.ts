/** A Vite plugin that renders the docs. Vite builds `docs.html` and `docs-api.html` with their styles and scripts; the plugin uses them as templates. */
import type { Plugin } from 'vite';
import { readSite, siteHtml } from './site.ts';

const PAGE = 'docs.html';
const API = 'docs-api.html';

/** `root`: the repository. */
export function docsSite(root: string, version: string): Plugin {
  return {
    name: 'docs-site',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite has written the two pages.
      order: 'post',
      handler(_options, bundle) {
        const templateOf = (name: string): string => {
          const page = bundle[name];
          if (page?.type !== 'asset') throw new Error(`Vite made no ${name}.`);
          delete bundle[name];
          return String(page.source);
        };
        const [page, api] = [templateOf(PAGE), templateOf(API)];
        const site = readSite(root);
        const index = this.emitFile({ type: 'asset', name: 'docs-search.json', source: site.index });
        const templates = { page, api, search: this.getFileName(index), version };
        for (const [fileName, source] of [...site.files, ...siteHtml(site, templates)])
          this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}
