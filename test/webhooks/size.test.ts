import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../support/packed.ts';

/** The largest that the receiver may be, minified and gzipped: it runs in Workers, without the client. */
const CEILING = 3_000;

test('a receiver is small, and holds no part of the client', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${root}src/webhooks/index.ts`],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(CEILING);
  expect(Object.keys(metafile.inputs).filter((path) => !/src\/(core|webhooks)\//.test(path))).toEqual([]);
});
