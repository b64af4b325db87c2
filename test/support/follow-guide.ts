/**
 * Follows a guide like a reader with an empty folder: runs its commands and saves its programs, in order and
 * unchanged. Replaces only the registry by the tarball and by packages on this machine, and the port by a free one; and
 * opens no browser.
 *
 * - A `sh` block is run. A block that begins with `# In a second terminal` keeps running.
 * - A `text` block after it is its expected output; `…` stands for any text.
 * - A block of another language whose first line is a comment with a file's name is saved under that name.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { asShown } from '../docs/snippets.ts';
import { closedPort } from './ports.ts';

/** The port in the guides. */
const PORT = /\b4010\b/g;

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w*).*\n([^]*?)\n```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));

function expectOutput(shown: string, actual: string): void {
  expect(asShown(shown, actual.trimEnd())).toBe(shown);
}

/** The shell's words that link a package of this machine instead of downloading it. */
const linked = (name: string, folder: string): string =>
  `mkdir -p ${dirname(`node_modules/${name}`)} && ln -s '${folder}' node_modules/${name}`;

/**
 * Follows a guide in an empty folder. Resolves to its commands after all of them gave the expected output. `packages` are
 * the folders of those that it installs, besides this one.
 */
export async function followGuide(
  markdown: string,
  tarball: string,
  folder: string,
  packages: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  mkdirSync(folder);
  const port = String(await closedPort());
  const here = join(folder, '..', 'here');
  // Without settings of this project or of the user, and without a network.
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, npm_config_offline: 'true', npm_config_yes: 'false', NO_COLOR: '1' };
  const terminals: (() => Promise<unknown>)[] = [];
  const commands: string[] = [];
  let cwd = folder;

  const typed = (text: string) =>
    text
      .replace(/(?<=npm install )email-platform$/gm, tarball)
      .replace(/npm install ((?:@?[\w-]+(?:\/[\w-]+)?(?:@\d+)? ?)+)$/gm, (command, names: string) => {
        const all = names
          .split(' ')
          .map((name) => name.replace(/(?<=.)@\d+$/, ''))
          .map((name) => packages[name] && linked(name, packages[name]));
        return all.includes(undefined) ? command : all.join(' && ');
      })
      .replace(/ --open\b/g, ' --control --port 4010')
      .replaceAll(PORT, port);

  async function run(text: string): Promise<string> {
    const script = `set -e\n${typed(text)}\npwd > '${here}'`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd, env });
    cwd = readFileSync(here, 'utf8').trim();
    // The output of npm 11, also with an older npm.
    if (/^npm init/m.test(text))
      await promisify(execFile)('npm', ['pkg', 'set', 'type=commonjs'], { cwd, env });
    return stdout;
  }

  /** Starts a command that keeps running; resolves after a number of printed lines. */
  async function runBeside(text: string, lines: number): Promise<string> {
    const child = spawn('bash', ['-c', typed(text)], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    terminals.push(async () => {
      // The whole process group: the shell and its commands.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
      await closed;
    });
    let printed = '';
    let complaints = '';
    const ended = closed.then(() =>
      Promise.reject(new Error(`The command has ended: ${complaints}\n${text}`)),
    );
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    while (printed.split('\n').length <= lines) await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => undefined);
    return printed;
  }

  try {
    const blocks = blocksOf(markdown);
    for (const [index, { language, text }] of blocks.entries()) {
      const shown = blocks[index + 1]?.language === 'text' ? blocks[index + 1]?.text : undefined;
      const [, name] = /^(?:\/\/|#) (\S*\.\w+)\n/.exec(text) ?? [];
      if (language === 'sh') {
        commands.push(...text.split('\n').filter((line) => !line.startsWith('#')));
        const isSecond = text.startsWith('# In a second terminal');
        const printed = isSecond ? await runBeside(text, shown?.split('\n').length ?? 1) : await run(text);
        if (shown !== undefined) expectOutput(typed(shown), printed);
      } else if (language !== 'text') {
        if (name === undefined) throw new Error(`This block has no file name in its first line:\n${text}`);
        mkdirSync(dirname(join(cwd, name)), { recursive: true });
        writeFileSync(join(cwd, name), `${text}\n`);
      }
    }
    return commands;
  } finally {
    for (const close of terminals) await close();
  }
}
