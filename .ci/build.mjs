// npm run build: dist, THIRD_PARTY_LICENSES and sbom.cdx.json, from nothing. The JavaScript and the declarations of all
// entries are made side by side; the notices tell what was bundled into either.
import { rmSync } from 'node:fs';
import { sideBySide } from './side-by-side.mjs';

for (const folder of ['dist', '.tmp/bundled']) rmSync(folder, { recursive: true, force: true });
if ((await sideBySide(['javascript', 'declarations'])).length > 0) process.exit(1);
await import('./third-party-licenses.mjs');
await import('./sbom.mjs');
