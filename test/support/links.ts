import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A page without its fenced blocks. */
const textOf = (path: string) => readFileSync(path, 'utf8').replace(/^```.*?^```$/gms, '');

/** The anchors that GitHub gives to a page's headings. */
const anchorsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The address in links to pictures, once the repository has one (`.ci/repository.mjs`). */
const IN_REPOSITORY = /^https:\/\/[^/]+\/[^/]+\/[^/]+\/raw\/main\/docs\//;

/** The way from a page's folder to `docs`. */
function docsFrom(folder: string): string {
  if (folder.endsWith('docs')) return '';
  return folder.endsWith('docs/trust') ? '../' : 'docs/';
}

/** The targets of a page's links and images in the repository, without other addresses on the web. */
export const linksOf = (path: string): string[] =>
  [...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(IN_REPOSITORY, docsFrom(dirname(path))))
    .filter((link) => !/^https?:/.test(link));

/** The links of a page under `root` without an existing file or heading. */
export function brokenLinks(root: string, file: string): string[] {
  return linksOf(join(root, file)).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (target.startsWith('..') || !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(join(root, target)).includes(anchor);
  });
}
