import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { root } from '../support/packed.ts';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}
interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly version: number;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
const parsed = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const bom = parsed(join(inject('consumer'), 'node_modules/email-platform/sbom.cdx.json')) as Bom;
const manifestOf = (name: string) =>
  parsed(join(root, bundled.get(name) ?? '', 'package.json')) as Component & {
    readonly license: string;
  };

/** Every module that a bundler says went into a file of the package, with how many bytes of it. */
const inputs = readdirSync(join(root, '.tmp/bundled')).flatMap((file) =>
  Object.entries(parsed(join(root, '.tmp/bundled', file)) as Record<string, number>),
);
/** The packages these belong to, and the folder that each is in. */
const bundled = new Map<string, string>();
for (const [path, bytes] of inputs) {
  const [, folder, name] = /(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? [];
  if (folder !== undefined && name !== undefined && bytes > 0) bundled.set(name, folder);
}

describe('The bill of materials', () => {
  test('names what the bundler put into the package, in the version that is installed, and nothing else', () => {
    expect(inputs).not.toEqual([]);
    expect([...bundled.keys()].sort()).toEqual([
      '@handlebars/parser',
      '@noble/hashes',
      // Types alone, copied into the declarations.
      '@standard-schema/spec',
      'commander',
      'devalue',
      'diff',
      'entities',
      'fflate',
      'is-network-error',
      'ky',
      'p-retry',
      'parse5',
      'postal-mime',
      // In the page of a report.
      'preact',
      'type-fest',
    ]);
    expect(bom.components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
      [...bundled.keys()].sort().map((name) => `${name} ${manifestOf(name).version}`),
    );
  });

  test('says under which licence, and which tarball it came from', () => {
    const { packages } = parsed(join(root, 'package-lock.json')) as {
      readonly packages: Record<string, { readonly integrity?: string }>;
    };
    for (const { name, licenses, hashes = [] } of bom.components) {
      const [{ license, expression } = {}] = licenses;
      expect(license?.id ?? `(${String(expression)})`).toBe(manifestOf(name).license);
      const [{ alg, content } = { alg: '', content: '' }] = hashes;
      const integrity = `sha512-${Buffer.from(content, 'hex').toString('base64')}`;
      expect([alg, integrity]).toEqual(['SHA-512', packages[bundled.get(name) ?? '']?.integrity]);
    }
  });

  test('has what CycloneDX requires, and refers to nothing that is not in it', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    const { name, version } = manifestOf('');
    expect(bom.metadata.component).toMatchObject({ type: 'library', name, version });
    const all = [bom.metadata.component, ...bom.components];
    for (const component of all) {
      expect(component.type).toBe('library');
      expect(component.purl).toBe(`pkg:npm/${component.name.replace('@', '%40')}@${component.version}`);
    }
    const refs = all.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.map(({ ref }) => ref)).toEqual(refs);
    // Everything is reached from the package itself.
    const reached = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...reached].sort()).toEqual(refs.slice(1).sort());
  });
});

test.each(['index.js', 'index.cjs'])(
  '%s is quick to read: Latin-1, without properties in patterns',
  (file) => {
    const text = readFileSync(join(inject('consumer'), 'node_modules/email-platform/dist', file), 'utf8');
    // One other character, and an engine keeps two bytes for every one.
    expect(Array.from(text).filter((character) => character > '\u00ff')).toEqual([]);
    // In a text, as the second backslash shows, it is checked only where it is used.
    expect(text.match(/(?<!\\)\\p\{\w+\}/g) ?? []).toEqual([]);
  },
);
