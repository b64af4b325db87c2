// npm run repository -- https://github.com/owner/name: writes `repository`, `bugs` and `homepage` into package.json.
// Without an address, uses the git remote `origin`. With --check, writes nothing, and fails if one of them is missing
// or differs from the others: `npm publish` and `npm run release` run this check first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The three fields for the address of a repository. */
export const fieldsFor = (address) => ({
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

/** The problems of the three fields of a package.json. */
export function problemsOf(manifest) {
  const address = addressOf(manifest.repository?.url ?? '');
  if (address === undefined)
    return ['package.json has no repository: npm run repository -- https://github.com/owner/name'];
  return Object.entries(fieldsFor(address))
    .filter(([name, value]) => JSON.stringify(manifest[name]) !== JSON.stringify(value))
    .map(
      ([name]) =>
        `package.json: \`${name}\` does not belong to \`repository\`: npm run repository -- ${address}`,
    );
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
  const { license, repository, bugs, homepage, ...others } = readManifest();
  const { name, version, description, ...rest } = others;
  const filled = { name, version, description, license, ...fieldsFor(address), ...rest };
  writeFileSync('package.json', `${JSON.stringify(filled, null, 2)}\n`);
  console.log(`repository, bugs and homepage are those of ${address}`);
  return [];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = main(process.argv.slice(2));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
