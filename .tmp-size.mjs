import { build } from 'esbuild'; import { gzipSync } from 'node:zlib';
for (const c of ["export * from './src/proxy/index.ts'","export { createProxy } from './src/proxy/index.ts'"]) {
const r = await build({ stdin: { contents: c, resolveDir: '.', loader: 'ts' }, bundle: true, minify: true, format: 'esm', write: false, metafile: true, platform: 'neutral', target: 'es2022' });
console.log(r.outputFiles[0].contents.length, gzipSync(r.outputFiles[0].contents,{level:9}).length);
for (const [f,x] of Object.entries(Object.values(r.metafile.outputs)[0].inputs)) if (x.bytesInOutput) console.log(' ', x.bytesInOutput, f);
}
