// What the file of types costs for a folder of templates, and what `templates dev --out` takes after one file was saved. Prints
// one line of JSON. Arguments: the folder of the built package, how many templates, how many languages.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [dist, ...numbers] = process.argv.slice(2);
const [templates, count] = numbers.map(Number);
const load = (entry) => import(pathToFileURL(join(dist, entry)).href);
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'].slice(0, count);
/** Saves, of which the first compile the code. */
const SAVES = 6;

const folder = mkdtempSync(join(tmpdir(), 'templates-growth-'));
const emails = join(folder, 'emails');
const out = join(folder, 'emails.ts');
const body = (text) =>
  `<p>${text}</p>${'<p>Hello {{name}}, {{#if note}}{{note}}{{else}}no note{{/if}}</p>'.repeat(30)}`;

function write() {
  mkdirSync(emails);
  if (count > 1)
    writeFileSync(
      join(emails, 'templates.config.json'),
      JSON.stringify({ languages: LANGUAGES, default: 'en' }),
    );
  for (let index = 0; index < templates; index += 1) {
    for (const language of LANGUAGES) {
      const isDefault = language === 'en';
      const own = join(emails, `t${index}`, isDefault ? '' : language);
      mkdirSync(own, { recursive: true });
      const fields = {
        ...(isDefault && { name: `T${index}`, category: 'orders' }),
        subject: `${language} {{{name}}}`,
      };
      writeFileSync(join(own, 'template.json'), JSON.stringify(fields));
      writeFileSync(join(own, 'body.html'), body(`${language} ${index}`));
    }
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The time of the processor until the file of types has a text. */
async function until(text) {
  const before = cpuMs();
  for (;;) {
    try {
      if (readFileSync(out, 'utf8').includes(text)) return cpuMs() - before;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    await setTimeout(20);
  }
}

try {
  write();
  const { typesOfFolder } = await load('templates/index.js');
  const options = { from: 'emails' };
  await typesOfFolder(emails, options);
  const before = cpuMs();
  await typesOfFolder(emails, options);
  const typesMs = cpuMs() - before;

  // The command says on stdout where its page is.
  const { write: writeOut } = process.stdout;
  process.stdout.write = () => true;
  process.argv = [process.execPath, join(dist, 'cli/index.js'), 'templates', 'dev', emails, '--out', out];
  // The command ends with the process.
  void load('cli/index.js');
  await until('T0Variables');
  const saves = [];
  for (let save = 0; save < SAVES; save += 1) {
    writeFileSync(join(emails, 't0/body.html'), body(`{{saved${save}}}`));
    saves.push(await until(`saved${save}`));
  }
  process.stdout.write = writeOut;
  const saveMs = Math.min(...saves);
  process.stdout.write(`${JSON.stringify({ templates, languages: count, typesMs, saveMs })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
