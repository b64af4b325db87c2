// Writes THIRD_PARTY_LICENSES from what the build really put into the package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const BUNDLED = '.tmp/bundled';

const folders = new Set();
for (const file of readdirSync(BUNDLED)) {
  const sizes = JSON.parse(readFileSync(`${BUNDLED}/${file}`, 'utf8'));
  for (const [path, bytes] of Object.entries(sizes)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined && bytes > 0) folders.add(folder);
  }
}
// Types are copied into the declarations, which no bundler's metafile tells of.
const sources = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
if (sources.some((name) => readFileSync(`src/${name}`, 'utf8').includes("from 'type-fest'"))) {
  folders.add('node_modules/type-fest');
}

const isLicence = (name) => /^licen[cs]e([-.].*)?$/i.test(name);

/** Several licences to choose from: the one whose text the package offers as MIT, or its only one. */
function licenceOf(folder) {
  const files = readdirSync(folder).filter(isLicence);
  const file = files.find((name) => /mit/i.test(name)) ?? files[0];
  if (file === undefined) throw new Error(`${folder} is bundled, but comes without a licence text`);
  return readFileSync(`${folder}/${file}`, 'utf8').trim();
}

const sections = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return `${name} ${version} (${license})\n\n${licenceOf(folder)}\n`;
});

const rule = `\n${'-'.repeat(80)}\n\n`;
const heading = 'This package contains code of the following projects, under the licences they come with.\n';
writeFileSync('THIRD_PARTY_LICENSES', [heading, ...sections].join(rule));
