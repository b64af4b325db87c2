import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { pageOpener } from '../../src/cli/terminal.ts';
import { folderOf } from '../entries/templates/folders.ts';

afterEach(() => vi.unstubAllEnvs());

test.skipIf(process.platform !== 'linux')(
  'the arguments of the opener have no code: they name a file of this user, which is gone at the end',
  async () => {
    const folder = folderOf({});
    const [seen, opener] = [join(folder, 'seen'), join(folder, 'xdg-open')];
    writeFileSync(opener, `#!/bin/sh\necho "$0 $@" > ${seen}.part && mv ${seen}.part ${seen}\n`);
    chmodSync(opener, 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH ?? ''}`);
    const before = process.listeners('exit');
    const url = 'http://127.0.0.1:4010/_emulator/open?code=a-secret&x="';
    pageOpener()(url);
    await expect.poll(() => existsSync(seen)).toBe(true);
    const [, file = ''] = readFileSync(seen, 'utf8').trim().split(' ');
    expect(readFileSync(seen, 'utf8')).not.toContain('secret');
    expect(readFileSync(file, 'utf8')).toContain(
      'content="0; url=http://127.0.0.1:4010/_emulator/open?code=a-secret&amp;x=&quot;"',
    );
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    const [atExit] = process.listeners('exit').filter((listener) => !before.includes(listener));
    atExit?.(0);
    process.removeListener('exit', atExit ?? (() => undefined));
    expect(existsSync(join(file, '..'))).toBe(false);
  },
);
