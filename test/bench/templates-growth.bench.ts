import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, table, type Bench } from './bench.ts';

interface Measured {
  readonly templates: number;
  readonly languages: number;
  /** The CPU time of `templates types`, in milliseconds. */
  readonly typesMs: number;
  /** The CPU time from the change of one file until `templates dev --out` has written the types, in milliseconds. */
  readonly saveMs: number;
}

/** A text of 2000 templates may cost this many times as much as one of 200. */
const MAX_GROWTH = 1.5;
/** A text in one of five languages may cost this many times as much as that of a template without languages. */
const MAX_OF_LANGUAGES = 1.8;

const bench: Bench = {
  title: 'Growth of templates: the file of types, and its change after one file was saved',
  async run({ consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const program = join(import.meta.dirname, 'programs/templates-growth.mjs');
    const by = isSmoke ? 20 : 1;
    const sizes = [
      [200, 1],
      [2000, 1],
      [200, 5],
    ].map(([templates = 0, languages = 0]) => [templates / by, languages]);
    const measured: Measured[] = [];
    for (const size of sizes)
      measured.push(
        JSON.parse(
          (await promisify(execFile)(process.execPath, [program, dist, ...size.map(String)])).stdout,
        ) as Measured,
      );
    const ofText = ({ templates, languages, typesMs }: Measured) => typesMs / (templates * languages);
    const [few, many, inLanguages] = measured.map(ofText);
    const growth = (many ?? NaN) / (few ?? NaN);
    const ofLanguages = (inLanguages ?? NaN) / (few ?? NaN);
    return {
      lines: [
        ...table([
          ['templates × languages', 'types', 'a text', 'a save'],
          ...measured.map((one) => [
            `  ${one.templates} × ${one.languages}`,
            `${digits(one.typesMs, 0)} ms`,
            `${digits(ofText(one), 2)} ms`,
            `${digits(one.saveMs, 0)} ms`,
          ]),
        ]),
        '',
        `a text of ten times as many templates costs ${digits(growth, 2)} × (ceiling ${MAX_GROWTH}), one in a language ${digits(ofLanguages, 2)} × (ceiling ${MAX_OF_LANGUAGES})`,
      ],
      broken: isSmoke
        ? []
        : [
            ...(growth > MAX_GROWTH ? [`a text of 2000 templates costs ${digits(growth, 2)} ×`] : []),
            ...(ofLanguages > MAX_OF_LANGUAGES
              ? [`a text in a language costs ${digits(ofLanguages, 2)} ×`]
              : []),
          ],
    };
  },
};

export default bench;
