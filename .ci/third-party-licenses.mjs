// Writes THIRD_PARTY_LICENSES for the bundled packages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled-packages.mjs';

const isLicence = (name) => /^licen[cs]e([-.].*)?$/i.test(name);

/** The licence text for a package that only names its licence. */
const TEXTS = { '@handlebars/parser': '.ci/licences/handlebars-parser.txt' };

/** The licence text of a package: the MIT one of several, or else the first. */
function licenceOf(folder, name) {
  const files = readdirSync(folder).filter(isLicence);
  const file = files.find((one) => /mit/i.test(one)) ?? files[0];
  if (file === undefined && TEXTS[name] !== undefined) return readFileSync(TEXTS[name], 'utf8').trim();
  if (file === undefined) throw new Error(`${folder} is bundled, but comes without a licence text`);
  return readFileSync(`${folder}/${file}`, 'utf8').trim();
}

const sections = bundledPackages().map(
  ({ folder, manifest: { name, version, license } }) =>
    `${name} ${version} (${license})\n\n${licenceOf(folder, name)}\n`,
);

const rule = `\n${'-'.repeat(80)}\n\n`;
const heading = 'This package contains code of the following projects, under the licences they come with.\n';
writeFileSync('THIRD_PARTY_LICENSES', [heading, ...sections].join(rule));
