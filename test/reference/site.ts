import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** An entry of the navigation. */
export interface Entry {
  readonly text: string;
  readonly path?: string;
  readonly children?: readonly Entry[];
}

/** The data of a script that assigns one compressed JSON text. */
function dataOf(file: string): unknown {
  const [, text = ''] = /"([^"]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());
}

/** The reference, built in a folder. */
export class Site {
  readonly pages: readonly string[];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.html'),
    );
  }

  read(page: string): string {
    return readFileSync(join(this.#folder, page), 'utf8');
  }

  /** Where a page links to inside the site, from the site's top. */
  linksOf(page: string): string[] {
    return [...this.read(page).matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => decodeURIComponent(link.replaceAll('&amp;', '&')))
      .filter((link) => !/^(https?|data|mailto):/.test(link))
      .map((link) => (link.startsWith('#') ? page + link : join(dirname(page), link)));
  }

  /** Links that lead to no file, or to no place in its page. */
  brokenLinks(): string[] {
    const places = new Map<string, Set<string>>();
    const placesOf = (page: string) => {
      if (!places.has(page)) {
        const ids = [...this.read(page).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) =>
          decodeURIComponent(id),
        );
        places.set(page, new Set(ids));
      }
      return places.get(page);
    };
    return this.pages.flatMap((page) =>
      this.linksOf(page)
        .filter((link) => {
          const [file = '', place] = link.split('#');
          if (!existsSync(join(this.#folder, file))) return true;
          return file.endsWith('.html') && (place ?? '') !== '' && !placesOf(file)?.has(place ?? '');
        })
        .map((link) => `${page}: ${link}`),
    );
  }

  navigation(): readonly Entry[] {
    return dataOf(join(this.#folder, 'assets/navigation.js')) as Entry[];
  }

  /** What the search can find: names and pages. */
  searchable(): readonly { readonly name: string; readonly url: string }[] {
    return (dataOf(join(this.#folder, 'assets/search.js')) as { rows: [] }).rows;
  }
}
