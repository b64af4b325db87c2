// Writes THIRD_PARTY_LICENSES from what the build really put into the package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled-packages.mjs';

const isLicence = (name) => /^licen[cs]e([-.].*)?$/i.test(name);

/** Several licences to choose from: the one whose text the package offers as MIT, or its only one. */
function licenceOf(folder) {
  const files = readdirSync(folder).filter(isLicence);
  const file = files.find((name) => /mit/i.test(name)) ?? files[0];
  if (file === undefined) throw new Error(`${folder} is bundled, but comes without a licence text`);
  return readFileSync(`${folder}/${file}`, 'utf8').trim();
}

const sections = bundledPackages().map(
  ({ folder, manifest: { name, version, license } }) =>
    `${name} ${version} (${license})\n\n${licenceOf(folder)}\n`,
);

const rule = `\n${'-'.repeat(80)}\n\n`;
const heading = 'This package contains code of the following projects, under the licences they come with.\n';
writeFileSync('THIRD_PARTY_LICENSES', [heading, ...sections].join(rule));
