/**
 * The dashboard's files: what `web/` was built into, read once, and served from memory by the paths it has. What is
 * not among them is not there, whatever a path says.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { assert } from '../../core/assert.ts';
import { CSP_REPORTS_PATH } from './csp-reports.ts';

export interface FileAnswer {
  readonly status: 200 | 304 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What of a request's headers decides how a file is sent. */
export interface FileRequest {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** A file as it is sent to a browser that takes this encoding. */
interface Packed {
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** What the build (`scripts/web.mjs`) puts beside a file that is worth packing, the smallest first. */
const PACKED = [
  { encoding: 'br', ending: '.br', pack: (bytes: Buffer) => brotliCompressSync(bytes) },
  { encoding: 'gzip', ending: '.gz', pack: (bytes: Buffer) => gzipSync(bytes, { level: 9 }) },
];
const INDEX = '/index.html';
/** Names there have a hash of what is inside. */
const HASHED = '/assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Nothing from elsewhere, nothing inline, in no frame; what a page breaks of it is told to us, at an address below it. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Turnpike</title></head><body>
<h1>The dashboard is not built</h1>
<p>Start Turnpike with <code>npm start</code>, which builds it and says what keeps it from that.
Everything else works: calls, the management API, and the command line.</p>
</body></html>
`;

interface File {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly packed: readonly Packed[];
}

export class DashboardFiles {
  readonly #files = new Map<string, File>();

  readonly #pageHeaders: Readonly<Record<string, string>>;

  /**
   * Reads a folder whole; one that is not there has no files, and a page that says so. `basePath`: below which path browsers find
   * them (`/llm`). The build names files relative to its page, which is shown at addresses of every depth: so the page is told where they are.
   */
  constructor(folder: string, basePath = '') {
    const policy = [...CONTENT_POLICY, `report-uri ${basePath}${CSP_REPORTS_PATH}`];
    this.#pageHeaders = { ...PAGE_HEADERS, 'content-security-policy': policy.join('; ') };
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const address = join(entry.parentPath, entry.name);
      const path = `/${relative(folder, address).split(sep).join('/')}`;
      const type = TYPES[extname(path)];
      if (type === undefined) continue;
      const isPage = path === INDEX;
      const bytes = isPage ? placedPage(readFileSync(address, 'utf8'), basePath) : readFileSync(address);
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      this.#files.set(path, { path, type, bytes, hash, packed: packedBeside(address, isPage ? bytes : null) });
    }
  }

  /** Of every file but the page, from the server's root. */
  get paths(): readonly string[] {
    return [...this.#files.keys()].filter((path) => path !== INDEX);
  }

  /** One of `paths`. */
  file(path: string, request: FileRequest): FileAnswer {
    const file = this.#files.get(path);
    assert(file !== undefined, 'only the files that there are have a route');
    return send(file, request, {});
  }

  /** The one page, which finds its way by the path itself. */
  page(request: FileRequest): FileAnswer {
    const index = this.#files.get(INDEX);
    if (index !== undefined) return send(index, request, this.#pageHeaders);
    const headers = {
      ...FILE_HEADERS,
      ...this.#pageHeaders,
      'content-type': TYPES['.html'] ?? '',
      'cache-control': 'no-store',
    };
    return { status: 503, headers, body: Buffer.from(NOT_BUILT) };
  }
}

/** What is not the page's, whatever a browser asks for: here programs look for something, and need to hear that it is not there. */
const NOT_PAGES = ['/api', '/v1', '/health', '/metrics', '/openapi.json', '/docs/reference', '/assets'];

/** Whether somebody goes to a page: a browser, by its address bar or a link. */
export function isNavigation(method: string, path: string, accept: string | undefined): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || accept?.includes('text/html') !== true) return false;
  return !NOT_PAGES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function send(file: File, request: FileRequest, more: Readonly<Record<string, string>>): FileAnswer {
  const packed = packedFor(file, request);
  const etag = `"${file.hash}${packed === null ? '' : `-${packed.encoding}`}"`;
  const headers = {
    ...FILE_HEADERS,
    ...more,
    'content-type': file.type,
    'cache-control': file.path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: file.path === INDEX ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(packed === null ? {} : { 'content-encoding': packed.encoding }),
  };
  const known = request['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true) return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: (packed ?? file).bytes };
}

function packedFor(file: File, request: FileRequest): Packed | null {
  const taken = String(request['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]);
  return file.packed.find(({ encoding }) => taken.includes(encoding)) ?? null;
}

/** With `bytes` it is packed anew: what lies beside is of a page before it was placed. */
function packedBeside(address: string, bytes: Buffer | null): Packed[] {
  return PACKED.filter(({ ending }) => existsSync(address + ending)).map(({ encoding, ending, pack }) => ({
    encoding,
    bytes: bytes === null ? readFileSync(address + ending) : pack(bytes),
  }));
}

/** How an attribute of Vite's page begins that names a file of the build. */
const RELATIVE = '="./';
/** Of `web/index.html`, where the page's script reads it. */
const BASE_PATH = 'name="base-path" content="';

function placedPage(html: string, basePath: string): Buffer {
  return Buffer.from(html.replaceAll(RELATIVE, `="${basePath}/`).replace(BASE_PATH, `${BASE_PATH}${basePath}`));
}
