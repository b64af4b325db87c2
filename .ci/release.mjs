// npm run release -- [major|minor|patch] [--dry-run]: makes a release from the top section of CHANGELOG.md. Writes
// the version and the date, commits, and tags. Pushing the tag publishes: see .github/workflows/publish.yml.
//
// The top section is `## [Unreleased]`, or `## [1.2.0] - Unreleased` with a decided version. Leave out major, minor
// or patch then. With --dry-run, shows the release and its obstacles, and changes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { problemsOf } from './repository.mjs';

const STEPS = ['major', 'minor', 'patch'];
const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const [step, ...surplus] = args.filter((arg) => arg !== '--dry-run');

const run = (program, ...given) =>
  execFileSync(program, given, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const git = (...given) => run('git', ...given).trim();
const read = (file) => readFileSync(file, 'utf8');

const manifest = JSON.parse(read('package.json'));
const changelog = read('CHANGELOG.md');
const problems = problemsOf(manifest);

/** The first section of the changelog: its title, the version in it, and its text. */
function topSection() {
  const [title = '', inBrackets, date] = /^## \[([^\]]+)\](?: - (\S+))?$/m.exec(changelog) ?? [];
  const [text = ''] = changelog.slice(changelog.indexOf(title) + title.length).split(/^## /m);
  const isOpen = inBrackets === 'Unreleased' || date === 'Unreleased';
  return { title, text: text.trim(), isOpen, version: inBrackets === 'Unreleased' ? undefined : inBrackets };
}

function raised(version, by) {
  const parts = version.split('-')[0].split('.').map(Number);
  const at = STEPS.indexOf(by);
  return parts.map((part, index) => (index < at ? part : index === at ? part + 1 : 0)).join('.');
}

const section = topSection();
if (surplus.length > 0 || (step !== undefined && !STEPS.includes(step)))
  problems.push(`Say one of ${STEPS.join(', ')}, not "${[step, ...surplus].join(' ')}".`);
if (!section.isOpen)
  problems.push('CHANGELOG.md has no section "## [Unreleased]" at its top: nothing is new.');
else if (!/^- /m.test(section.text)) problems.push('The top section of CHANGELOG.md lists nothing.');
if (section.isOpen && section.version === undefined && step === undefined)
  problems.push(`Say what kind of release it is: npm run release -- ${STEPS.join('|')}`);
if (section.version !== undefined && step !== undefined)
  problems.push(`CHANGELOG.md has decided on ${section.version}: leave out "${step}".`);
const version = section.version ?? (STEPS.includes(step) ? raised(manifest.version, step) : manifest.version);

if (git('status', '--porcelain') !== '') problems.push('There are changes that are not committed.');
if (git('tag', '--list', `v${version}`) !== '') problems.push(`The tag v${version} is there already.`);

// npm shows the README, and resolves its links to files of the repository.
const tracked = new Set(git('ls-files').split('\n'));
const links = [...read('README.md').matchAll(/\]\(((?!https?:|#)[^)#\s]+)/g)].map(([, link]) => link);
for (const link of links)
  if (!tracked.has(link)) problems.push(`README.md: ${link} is no file of the repository.`);

console.log(`Release ${version}, as v${version}\n\n${section.text}\n`);

if (isDry) {
  const [{ files, size, unpackedSize }] = JSON.parse(
    run('npm', 'pack', '--dry-run', '--json', '--loglevel=error').replace(/^[^]*?(?=^\[)/m, ''),
  );
  console.log(`The tarball would have ${files.length} files: ${size} bytes, ${unpackedSize} unpacked`);
  for (const { path } of files) console.log(`  ${path}`);
}
if (problems.length > 0) {
  console.error(`\nIn the way of this release:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exitCode = 1;
} else if (isDry) {
  console.log('\nNothing is in the way. Without --dry-run, this would be committed and tagged.');
} else {
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', changelog.replace(section.title, `## [${version}] - ${today}`));
  if (version !== manifest.version) run('npm', 'version', version, '--no-git-tag-version');
  const source = 'src/version.ts';
  if (existsSync(source)) writeFileSync(source, read(source).replace(/'\d[^']*'/, `'${version}'`));
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', section.text);
  console.log(`Committed and tagged. To publish: git push --follow-tags`);
}
