// npm run build: makes dist, THIRD_PARTY_LICENSES and sbom.cdx.json from the sources. Builds the JavaScript and the
// declarations of all entries in parallel, and then the notices of the packages bundled into either.
import { rmSync } from 'node:fs';
import { sideBySide } from './side-by-side.mjs';

for (const folder of ['dist', '.tmp/bundled']) rmSync(folder, { recursive: true, force: true });
if ((await sideBySide(['javascript', 'declarations'])).length > 0) process.exit(1);
await import('./third-party-licenses.mjs');
await import('./sbom.mjs');
