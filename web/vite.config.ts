import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { docsSite } from './docs/docs-site.ts';

const REPOSITORY = new URL('..', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', REPOSITORY), 'utf8')) as { version: string };

/** Everything but `index.html` is below `/assets`, with its hash in its name: the server lets browsers keep it for ever. */
export default defineConfig({
  // The server says in the page below which path that stands, so that one build serves any.
  base: './',
  plugins: [react(), tailwindcss(), earlyTheme(), docsSite(fileURLToPath(REPOSITORY), version)],
  build: {
    target: 'es2023',
    // A data address would be one more kind of source for the content policy.
    assetsInlineLimit: 0,
    // The polyfill is a script of its own for browsers that are years old.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      input: ['index.html', 'docs.html', 'docs-api.html'],
      output: {
        // What changes only with an update of the packages keeps its name, and browsers keep the file.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/openapi.json', '/health'].map((path) => [path, 'http://127.0.0.1:8080'])),
  },
});

/** A small script that blocks the first paint until the theme is known: a file of its own, for the content policy allows none in the page. */
function earlyTheme(): Plugin {
  const source = (): string => readFileSync(new URL('src/theme-early.js', import.meta.url), 'utf8');
  let file: string | null = null;
  return {
    name: 'early-theme',
    buildStart() {
      if (this.meta.watchMode) return;
      file = this.emitFile({ type: 'asset', name: 'theme.js', source: source() });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        const src =
          context.bundle === undefined || file === null
            ? '/src/theme-early.js'
            : `./${Object.values(context.bundle).find((output) => output.type === 'asset' && output.names?.includes('theme.js'))?.fileName}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
