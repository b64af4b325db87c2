// Writes sbom.cdx.json, a CycloneDX bill of materials with the bundled packages. It has no time and no random serial
// number, so that the same sources make the same package.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled-packages.mjs';

const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const own = JSON.parse(readFileSync('package.json', 'utf8'));

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** One licence has an id; a choice of several is an expression. */
const licencesOf = ({ license }) =>
  / (OR|AND|WITH) /.test(license)
    ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }]
    : [{ license: { id: license } }];

const componentOf = (type, manifest) => ({
  type,
  'bom-ref': purlOf(manifest),
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  licenses: licencesOf(manifest),
  purl: purlOf(manifest),
});

/** The hash of the installed tarball, from the lock file. */
function hashesOf(folder) {
  const [, content] = /^sha512-(.+)$/.exec(locked[folder]?.integrity ?? '') ?? [];
  if (content === undefined) throw new Error(`${folder} is bundled, but has no hash in package-lock.json`);
  return [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }];
}

const bundled = bundledPackages();
const isBundled = new Set(bundled.map(({ manifest }) => manifest.name));
const refOf = (name) => purlOf(bundled.find(({ manifest }) => manifest.name === name).manifest);
const among = (dependencies = {}) =>
  Object.keys(dependencies)
    .filter((name) => isBundled.has(name))
    .map(refOf);
const indirect = new Set(bundled.flatMap(({ manifest }) => among(manifest.dependencies)));

const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { lifecycles: [{ phase: 'build' }], component: componentOf('library', own) },
  components: bundled.map(({ folder, manifest }) => ({
    ...componentOf('library', manifest),
    scope: 'required',
    hashes: hashesOf(folder),
  })),
  dependencies: [
    {
      ref: purlOf(own),
      dependsOn: bundled.map(({ manifest }) => purlOf(manifest)).filter((ref) => !indirect.has(ref)),
    },
    ...bundled.map(({ manifest }) => ({ ref: purlOf(manifest), dependsOn: among(manifest.dependencies) })),
  ],
  compositions: [{ aggregate: 'complete', assemblies: [purlOf(own)] }],
};
writeFileSync('sbom.cdx.json', `${JSON.stringify(bom, null, 2)}\n`);
