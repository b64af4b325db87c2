import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../../support/packed.ts';

test('a receiver holds no part of the client', async () => {
  const { metafile } = await build({
    entryPoints: [`${root}src/entries/webhooks/index.ts`],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  expect(Object.keys(metafile.inputs).length).toBeGreaterThan(3);
  expect(
    Object.keys(metafile.inputs).filter((path) => !/src\/(core|kit|entries\/webhooks)\//.test(path)),
  ).toEqual([]);
});
