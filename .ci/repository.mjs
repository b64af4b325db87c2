// npm run repository -- https://github.com/owner/name: writes `repository`, `bugs`, `homepage` and `author` into package.json,
// and the address into the links to pictures, which the package leaves out. Without an address, uses the git remote `origin`.
// With --check, writes nothing, and fails if one of them is missing or differs from the others: `npm publish` and
// `npm run release` run this check first.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files that the guides link to and the package leaves out: pictures. */
export const isLeftOut = (path) => /^docs\/images\/.+$/.test(path);

/** The pages of the package: they are read in the repository too. */
export const pages = () =>
  [
    'README.md',
    'AGENTS.md',
    'SKILL.md',
    'CHANGELOG.md',
    ...['docs', 'docs/trust'].flatMap((folder) =>
      existsSync(folder) ? readdirSync(folder).map((name) => `${folder}/${name}`) : [],
    ),
  ].filter((page) => page.endsWith('.md') && existsSync(page));

/** A page whose links to pictures lead to the repository, where they are. */
function withAddress(page, address) {
  return readFileSync(page, 'utf8').replace(
    /\]\((?:https:\/\/[^()\s]+\/raw\/main\/([^()\s#]+)|([^()\s#:]+))/g,
    (link, absolute, relative) => {
      const path = absolute ?? posix.join(posix.dirname(page), relative);
      return isLeftOut(path) ? `](${address}/raw/main/${path}` : link;
    },
  );
}

/** The fields for the address of a repository. The author is its owner. */
export const fieldsFor = (address) => ({
  author: { name: address.split('/').at(-2), url: address.replace(/\/[^/]+$/, '') },
  repository: { type: 'git', url: `git+${address}.git` },
  bugs: { url: `${address}/issues` },
  homepage: `${address}#readme`,
});

/** Converts an address to `https://host/owner/name`; undefined if it is not an address of a repository. */
export function addressOf(given) {
  const asUrl = given.trim().replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/');
  const [, address] = /^(?:git\+)?(https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(asUrl) ?? [];
  return address;
}

/** The problems of these fields of a package.json, and of the links of the pages. */
export function problemsOf(manifest) {
  const address = addressOf(manifest.repository?.url ?? '');
  if (address === undefined)
    return ['package.json has no repository: npm run repository -- https://github.com/owner/name'];
  const fields = Object.entries(fieldsFor(address)).filter(
    ([name, value]) => JSON.stringify(manifest[name]) !== JSON.stringify(value),
  );
  const changed = pages().filter((page) => withAddress(page, address) !== readFileSync(page, 'utf8'));
  return [
    ...fields.map(([name]) => `package.json: \`${name}\` does not belong to \`repository\``),
    ...changed.map((page) => `${page}: a link leads to a picture, which the package leaves out`),
  ].map((problem) => `${problem}: npm run repository -- ${address}`);
}

const readManifest = () => JSON.parse(readFileSync('package.json', 'utf8'));

function remote() {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

function main([given]) {
  if (given === '--check') return problemsOf(readManifest());
  const address = addressOf(given ?? remote());
  if (address === undefined)
    return ['Name the repository: npm run repository -- https://github.com/owner/name'];
  const { license, author, repository, bugs, homepage, ...others } = readManifest();
  const { name, version, description, ...rest } = others;
  const filled = { name, version, description, license, ...fieldsFor(address), ...rest };
  writeFileSync('package.json', `${JSON.stringify(filled, null, 2)}\n`);
  for (const page of pages()) writeFileSync(page, withAddress(page, address));
  console.log(`repository, bugs, homepage and author are those of ${address}`);
  return [];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = main(process.argv.slice(2));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
