import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { alias } from '../../vitest.config.ts';
import { MISTAKES } from './mistakes.ts';

const mistake = MISTAKES[Number(process.env.MISTAKE ?? NaN)];

/** Makes the mistake while Vite loads its file. The file itself stays as it is, so that runs do not disturb each other. */
const making: Plugin = {
  name: 'mistake',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?');
    if (mistake === undefined || !path.split(sep).join('/').endsWith(`/src/${mistake.file}`))
      return undefined;
    return readFileSync(path, 'utf8').replace(mistake.text, () => mistake.replacement);
  },
};

/** The tests that have to notice the mistake whose number is in the variable `MISTAKE`. */
export default defineConfig({
  resolve: { alias },
  plugins: [making],
  test: {
    include: ['test/**/*.test.ts'],
    isolate: false,
    // One file after the other: the runner has a run for each core.
    maxWorkers: 1,
    testTimeout: 60_000,
    // The default of a second would count as noticed on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
});
