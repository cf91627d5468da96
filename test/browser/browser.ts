/**
 * A real Chromium, watched: whatever a page should not report (errors on the console, content security policy violations,
 * requests to another host, failed responses) is recorded, and tests expect none.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { launchOptions, SHARED_BROWSER } from './launch-options.ts';

/** Where screenshots go with `TURNPIKE_PICTURES=1`; ignored by git. */
const PICTURES = join(import.meta.dirname, '..', '..', 'data', 'screenshots');

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How long a page may take for anything, on a machine that other tests share. */
const WAIT_MS = 30_000;

export const PHONE: Size = { width: 375, height: 812 };
export const DESK: Size = { width: 1440, height: 900 };

let running: Promise<Browser> | null = null;

/** The browser that all test files share, or this file's own; `closeBrowser` closes what this file opened. */
export function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  running ??=
    shared === undefined ? launchOptions().then((options) => chromium.launch(options)) : chromium.connect(shared);
  return running;
}

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = null;
  await browser?.close();
}

/** A person with a browser context of their own: separate cookies and storage. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The gateway's URL, without a path. */
  readonly url: string;
  /** What went wrong, one line each. */
  readonly complaints: string[] = [];
  readonly #asked = new Set<Request>();

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.url = url;
  }

  static async at(
    url: string,
    size: Size = DESK,
    scheme: 'light' | 'dark' = 'light',
    timeZone = 'UTC',
  ): Promise<Person> {
    const browser = await openBrowser();
    const context = await browser.newContext({
      viewport: size,
      colorScheme: scheme,
      timezoneId: timeZone,
      baseURL: url,
      // The tests' certificates are self-signed.
      ignoreHTTPSErrors: url.startsWith('https:'),
      // On a system without a time zone setting the browser has none either.
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const person = new Person(context, page, url);
    person.#watch(url);
    return person;
  }

  /** Follows a link once a page is open: loading a whole document takes most of a test's time. */
  async visit(address: string): Promise<void> {
    if (this.page.url() === 'about:blank') await this.page.goto(address);
    else await this.page.evaluate((to) => history.pushState(null, '', to), address);
    await this.settled();
  }

  /**
   * The same person on a new document, in a window of this size: still signed in, with nothing of the last page in memory and
   * no interception left. Costs a third of a new context.
   */
  async anew(address: string, size: Size = DESK, scheme: 'light' | 'dark' = 'light'): Promise<void> {
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.setViewportSize(size);
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.goto(address);
    await this.settled();
  }

  /** Resolves when the page has loaded: a heading, no loading state, no pending request; twice in a row. */
  async settled(): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    for (let calm = 0; calm < 2; ) {
      const isDrawn = await this.page.evaluate(afterTwoFrames);
      calm = isDrawn && this.#asked.size === 0 ? calm + 1 : 0;
      if (performance.now() > deadline)
        throw new Error(`still loading: ${[...this.#asked].map((request) => request.url()).join(', ')}`);
      if (this.#asked.size > 0)
        await Promise.race([...this.#asked].map(async (request) => request.response().catch(() => null)));
    }
  }

  #watch(url: string): void {
    const { host } = new URL(url);
    this.page.on('request', (request) => {
      // A stream of events never ends.
      if (request.resourceType() !== 'eventsource') this.#asked.add(request);
    });
    for (const over of ['requestfinished', 'requestfailed'] as const)
      this.page.on(over as 'requestfinished', (request) => this.#asked.delete(request));
    this.page.on('dialog', (dialog) => {
      this.complaints.push(`a ${dialog.type()}: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('console', (message) => {
      // An error response is also reported on the console; the page shows it, and tests check it there.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isAnswer)
        this.complaints.push(`console ${message.type()}: ${message.text()}`);
    });
    this.page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    this.page.on('request', (request) => {
      const asked = new URL(request.url());
      if (asked.host !== host && asked.protocol.startsWith('http'))
        this.complaints.push(`another host: ${request.url()}`);
      if (asked.pathname.endsWith('/csp-reports')) this.complaints.push(`content policy: ${request.postData()}`);
    });
    this.page.on('response', (response) => {
      if (response.status() >= 500) this.complaints.push(`${response.status()} of ${response.url()}`);
    });
  }

  /**
   * What axe-core finds wrong with the page as it is, one line a rule; with `rules`, only those rules.
   * https://github.com/dequelabs/axe-core
   */
  async barriers(rules: readonly string[] | null = null): Promise<string[]> {
    // Code injected through the debugger is not subject to the page's content security policy.
    if (await this.page.evaluate(() => !('axe' in globalThis))) await this.page.evaluate(axe.source);
    return this.page.evaluate(async (only) => {
      const { axe: library } = globalThis as unknown as {
        axe: {
          run(options: object): Promise<{
            violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
          }>;
        };
      };
      // Results that nobody reads are not computed: they take most of the time.
      const { violations } = await library.run({
        resultTypes: ['violations'],
        selectors: false,
        // Style sheets are fetched and parsed again for a rule that is off.
        preload: false,
        ...(only === null ? {} : { runOnly: only }),
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
    }, rules);
  }

  /** How much wider the page is than its window, in pixels: above zero, something scrolls sideways. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /** Screenshots to look at, when asked for: capturing every full page takes a fifth of the time of the page tests. */
  async picture(name: string, isWhole = true): Promise<void> {
    if (process.env['TURNPIKE_PICTURES'] === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: isWhole });
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

/** Resolves when there are so many elements: what follows a click may be drawn a moment later. */
export async function counted(elements: Locator, count: number): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await elements.count();
    if (found === count) return;
    if (performance.now() > deadline) throw new Error(`${found} elements instead of ${count}: ${elements}`);
  }
}

/** The downloaded file; the browser may have another file system. */
export async function textOf(download: Download): Promise<string> {
  return text(await download.createReadStream());
}

/** In the page: whether it has a heading and no loading state, once what has arrived is drawn. */
function afterTwoFrames(): Promise<boolean> {
  // A page that waits for its code still has the heading of the previous one, hidden.
  const isDrawn = () =>
    document.querySelector('h1')?.checkVisibility() === true &&
    document.querySelector('main [aria-busy="true"]') === null;
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(isDrawn()))));
}
