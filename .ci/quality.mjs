// npm run quality: measures coverage and mutations, and writes them into docs/trust/quality.md as the row of this version.
// With --write-only, it uses the measurements in .tmp: a row stays as it is if its measurement is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const COVERAGE = '.tmp/coverage/coverage-summary.json';
const MUTATIONS = '.tmp/mutation/areas.json';
const PAGE = 'docs/trust/quality.md';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function run(program, ...args) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    shell,
    env: { ...process.env, TEST_ALL: '1' },
  });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${status}`);
}

function measure() {
  for (const file of [COVERAGE, MUTATIONS]) rmSync(file, { force: true });
  run('node', 'test/peers/install.mjs', 'coverage');
  const coverage = {
    enabled: 'true',
    provider: 'custom',
    customProviderModule: './test/peers/coverage/node_modules/@vitest/coverage-v8/dist/index.js',
    reporter: 'json-summary',
    reportsDirectory: '.tmp/coverage',
    include: 'src/**',
  };
  const options = Object.entries(coverage).map(([name, value]) => `--coverage.${name}=${value}`);
  run('npx', '--no-install', 'vitest', 'run', '--project', 'unit', '--project', 'contract', ...options);
  run('npm', 'run', 'mutation');
}

/** The percentage of mutations in some files that the tests detect, in Stryker's count. */
function mutationScore(files) {
  const count = (...statuses) =>
    files.reduce(
      (sum, { mutants }) => sum + mutants.filter(({ status }) => statuses.includes(status)).length,
      0,
    );
  const noticed = count('Killed', 'Timeout');
  return (100 * noticed) / (noticed + count('Survived', 'NoCoverage'));
}

const percent = (value) => (value === undefined ? '–' : `${value.toFixed(1)} %`);

/** The page with the row of a version: in place of its old row, or above all others. */
function withRow(page, version, row) {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${version} `));
  if (at >= 0) lines[at] = row;
  else lines.splice(lines.findIndex((line) => /^\| -+/.test(line)) + 1, 0, row);
  return lines.join('\n');
}

/** The page with the figures of areas in its second table, in place of the old ones. */
function withAreas(page, areas) {
  const [before, ...after] = page.split(/(?<=^\| area .*\n\|[ -|]*\n)/m);
  const rest = after.join('').replace(/^(?:\|.*\n)*/, '');
  const rows = areas.map(([name, files]) => {
    const names = Object.keys(files).map((file) => `\`${file.replace('src/', '')}\``);
    return `| ${name} | ${names.join(', ')} | ${percent(mutationScore(Object.values(files)))} |\n`;
  });
  return before + rows.join('') + rest;
}

if (!process.argv.includes('--write-only')) measure();
const areas = existsSync(MUTATIONS) ? Object.entries(readJson(MUTATIONS)) : [];
const score =
  areas.length > 0 ? mutationScore(areas.flatMap(([, files]) => Object.values(files))) : undefined;
let page = readFileSync(PAGE, 'utf8');
if (existsSync(COVERAGE)) {
  const { total } = readJson(COVERAGE);
  const { version } = readJson('package.json');
  const cells = [
    version,
    ...['statements', 'branches', 'functions'].map((name) => percent(total[name].pct)),
    percent(score),
  ];
  page = withRow(page, version, `| ${cells.join(' | ')} |`);
  console.log(`${PAGE}: ${cells.join(', ')}`);
}
if (areas.length > 0) page = withAreas(page, areas);
writeFileSync(PAGE, page);
spawnSync('npx', ['--no-install', 'oxfmt', PAGE], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
