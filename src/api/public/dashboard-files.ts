/**
 * The files of the dashboard and the docs, as built from `web/`: read once, and served from memory by their paths. No path can reach any
 * other file.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { assert } from '../../core/assert.ts';
import { CSP_REPORTS_PATH } from './csp-reports.ts';

export interface FileAnswer {
  readonly status: 200 | 302 | 304 | 308 | 404 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request headers that decide how a file is sent. */
export interface FileRequest {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** A file compressed with this encoding. */
interface Packed {
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** The start of the program waits for it: the best quality takes twenty times as long and saves a seventh of a few small files. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** The compressed files that the build (`scripts/web.mjs`) writes next to a file if that saves space, smallest first. */
const PACKED = [
  { encoding: 'br', ending: '.br', pack: (bytes: Buffer) => brotliCompressSync(bytes, BROTLI) },
  { encoding: 'gzip', ending: '.gz', pack: (bytes: Buffer) => gzipSync(bytes, { level: 9 }) },
];
const INDEX = '/index.html';
/** The page for unknown addresses below `/docs`. */
const DOCS = '/docs';
const DOCS_NOT_FOUND = '/docs/404';
/** Lists every page of the docs, for programs. */
export const PAGES_INDEX = '/llms.txt';
/** Text files into which the server inserts its own address. */
const PLACED_TEXTS = [PAGES_INDEX, '/robots.txt'];
/** Moved pages: old path to new path, relative. */
const MOVED: Readonly<Record<string, string>> = { '/docs/reference/errors.md': 'errors' };
/** File names there contain a hash of the content. */
const HASHED = '/assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Nothing from other origins, nothing inline, in no frame; violations are reported to us (`report-uri` is added below). */
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
<p>Start Turnpike with <code>npm start</code>, which builds it or prints why it cannot.
Everything else works: calls, the management API, and the command line.</p>
</body></html>
`;

interface File {
  readonly path: string;
  readonly type: string;
  /** Null if only the packed forms are kept: almost every client accepts one. */
  readonly bytes: Buffer | null;
  readonly hash: string;
  readonly packed: readonly Packed[];
}

export interface FilesPlace {
  /** The base path (`/llm`); empty at the root of a host. */
  readonly basePath?: string;
  /** The installation's public URL, or null if it is not configured. */
  readonly publicUrl?: string | null;
}

export class DashboardFiles {
  readonly #files = new Map<string, File>();

  readonly #pageHeaders: Readonly<Record<string, string>>;

  /**
   * Reads a folder whole; one that is not there has no files, and a page that says so. The dashboard's page is served at
   * any depth, so the base path is inserted into it. Each page of the docs has one address and uses relative links.
   */
  constructor(folder: string, { basePath = '', publicUrl = null }: FilesPlace = {}) {
    const policy = [...CONTENT_POLICY, `report-uri ${basePath}${CSP_REPORTS_PATH}`];
    this.#pageHeaders = { ...PAGE_HEADERS, 'content-security-policy': policy.join('; ') };
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    const place = { basePath, address: publicUrl?.replace(/\/$/, '') ?? basePath };
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const address = join(entry.parentPath, entry.name);
      const type = TYPES[extname(entry.name)];
      if (type === undefined) continue;
      const path = servedPath(`/${relative(folder, address).split(sep).join('/')}`);
      const placed = placedFile(path, address, place);
      const bytes = placed ?? readFileSync(address);
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      const packed = packedBeside(address, placed);
      const isUnpackable = packed.some(({ encoding }) => encoding === 'gzip');
      this.#files.set(path, { path, type, bytes: isUnpackable ? null : bytes, hash, packed });
    }
  }

  /** The path of every file except the dashboard's page, from the server's root. */
  get paths(): readonly string[] {
    return [...this.#files.keys()].filter((path) => path !== INDEX && path !== DOCS_NOT_FOUND);
  }

  /** Whether this is one of `paths`. */
  has(path: string): boolean {
    return this.#files.has(path) && path !== INDEX && path !== DOCS_NOT_FOUND;
  }

  /** Bytes in memory, packed forms included. */
  get bytes(): number {
    return [...this.#files.values()].reduce(
      (sum, { bytes, packed }) => packed.reduce((all, each) => all + each.bytes.length, sum + (bytes?.length ?? 0)),
      0,
    );
  }

  /** Whether the docs have a page at this address. */
  hasPage(path: string): boolean {
    const file = isDocs(path) && path !== DOCS_NOT_FOUND ? this.#files.get(path) : undefined;
    return file !== undefined && isPage(file);
  }

  /** One of `paths`. `asked`: the path of the request; a trailing slash is redirected. */
  file(path: string, asked: string, request: FileRequest): FileAnswer {
    const file = this.#files.get(path);
    assert(file !== undefined, 'only the files that there are have a route');
    // Relative links would resolve wrongly.
    if (asked.endsWith('/')) return redirect(308, `../${path.slice(path.lastIndexOf('/') + 1)}`);
    return send(file, request, isPage(file) ? this.#pageHeaders : {});
  }

  /** The page for a browser: of the docs, or the dashboard, which routes by the path itself. */
  page(path: string, request: FileRequest): FileAnswer {
    const trimmed = path.replace(/(?<!\/)\/+$/, '');
    const moved = MOVED[trimmed];
    if (moved !== undefined && this.#files.has(join(trimmed, '..', moved))) return redirect(302, moved);
    if (this.hasPage(trimmed)) return this.file(trimmed, path, request);
    const missing = isDocs(path) ? this.#files.get(DOCS_NOT_FOUND) : undefined;
    if (missing !== undefined) return { ...send(missing, {}, this.#pageHeaders), status: 404 };
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

/** Paths that never return the page, even to a browser: programs use them, and need a proper 404. */
const NOT_PAGES = ['/api', '/v1', '/health', '/metrics', '/openapi.json', '/assets'];

/** Whether a browser navigates to a page, by its address bar or a link. */
export function isNavigation(method: string, path: string, { accept, ...headers }: NavigationHeaders): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || accept?.includes('text/html') !== true) return false;
  // The docs link to this Markdown themselves, for people who want exactly that.
  if (MOVED[path] !== undefined && headers['sec-fetch-site'] === 'same-origin') return false;
  return !NOT_PAGES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

export interface NavigationHeaders {
  readonly accept?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

function isDocs(path: string): boolean {
  return path === DOCS || path.startsWith(`${DOCS}/`);
}

/** Pages of the docs have no extension; `index.html` is served at its folder. */
function servedPath(path: string): string {
  return path.startsWith(`${DOCS}/`) ? path.replace(/(?:\/index)?\.html$/, '') : path;
}

function isPage({ type }: File): boolean {
  return type === TYPES['.html'];
}

function redirect(status: 302 | 308, location: string): FileAnswer {
  return {
    status,
    headers: { ...FILE_HEADERS, location, 'content-type': TYPES['.txt'] ?? '', 'cache-control': 'no-cache' },
    body: Buffer.alloc(0),
  };
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
    vary: isPage(file) ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(packed === null ? {} : { 'content-encoding': packed.encoding }),
  };
  const known = request['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true) return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: packed?.bytes ?? plainBytes(file) };
}

function plainBytes({ bytes, packed }: File): Buffer {
  if (bytes !== null) return bytes;
  const gzip = packed.find(({ encoding }) => encoding === 'gzip');
  assert(gzip !== undefined, 'what is not kept as it is can be unpacked');
  return gunzipSync(gzip.bytes);
}

function packedFor(file: File, request: FileRequest): Packed | null {
  const taken = String(request['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]);
  return file.packed.find(({ encoding }) => taken.includes(encoding)) ?? null;
}

/** With `bytes` they are compressed again: the files from the build do not contain the base path. */
function packedBeside(address: string, bytes: Buffer | null): Packed[] {
  return PACKED.filter(({ ending }) => existsSync(address + ending)).map(({ encoding, ending, pack }) => ({
    encoding,
    bytes: bytes === null ? readFileSync(address + ending) : pack(bytes),
  }));
}

/** The start of attributes in Vite's page that refer to files of the build. */
const RELATIVE = '="./';
/** In `web/index.html`; the page's script reads it. */
const BASE_PATH = 'name="base-path" content="';

interface Place {
  readonly basePath: string;
  /** The public URL if it is known, otherwise the base path. */
  readonly address: string;
}

/** Null for a file that is the same at every base path. */
function placedFile(path: string, address: string, { basePath, address: base }: Place): Buffer | null {
  const text = (): string => readFileSync(address, 'utf8');
  if (path === INDEX || path === DOCS_NOT_FOUND) return placedPage(text(), basePath);
  return PLACED_TEXTS.includes(path) ? Buffer.from(text().replaceAll('{base}', base)) : null;
}

function placedPage(html: string, basePath: string): Buffer {
  return Buffer.from(html.replaceAll(RELATIVE, `="${basePath}/`).replace(BASE_PATH, `${BASE_PATH}${basePath}`));
}
