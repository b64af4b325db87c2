// The package has no pictures. `npm run repository` writes the address of the repository into the links to them. Without an
// address, a packed page has no pictures: `prepack` takes them out, and `postpack` restores the pages.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pages } from './repository.mjs';

/** The pages as they are in the repository, while the package is made. */
const SAVED = '.tmp/pages';

/** A page without the pictures that are files of the repository. */
export const withoutPictures = (text) =>
  text
    .replace(/(?<=[^\n])[ \n]!\[[^\]]*\]\((?:[\w./]*\/)?images\/[^)]+\)/g, '')
    .replace(/^!\[[^\]]*\]\((?:[\w./]*\/)?images\/[^)]+\)\n\n?/gm, '');

function takeOut() {
  for (const page of pages()) {
    const text = readFileSync(page, 'utf8');
    if (withoutPictures(text) === text) continue;
    mkdirSync(dirname(join(SAVED, page)), { recursive: true });
    writeFileSync(join(SAVED, page), text);
    writeFileSync(page, withoutPictures(text));
  }
}

function restore() {
  for (const page of pages().filter((name) => existsSync(join(SAVED, name)))) {
    const text = readFileSync(join(SAVED, page), 'utf8');
    // After a killed `npm pack`, a page may have been edited.
    if (readFileSync(page, 'utf8') === withoutPictures(text)) writeFileSync(page, text);
  }
  rmSync(SAVED, { recursive: true, force: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  restore();
  if (process.argv[2] === 'take-out') takeOut();
}
