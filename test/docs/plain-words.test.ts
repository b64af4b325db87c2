/** Words and sentences that a native engineer would not use, in the pages, the messages and the test names. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { textsIn, titlesIn } from '../support/titles.ts';
import { guides, root } from './snippets.ts';

/** Pages that are not checked: the generated list of methods, and guides that are not yet in plain words. */
const OTHER_PAGES = ['methods'];

/** The pages that are checked. */
const PAGES = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SKILL.md',
  'docs/architecture.md',
  ...guides.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && !OTHER_PAGES.includes(file.slice(5, -3))),
];

/** Sources whose messages are not checked. */
const OTHER_SOURCES = 'src/testing/report/';

/** What to write instead, by the words. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bmails\b/i, 'emails; `message` for one that was received'],
  [/\b(?:of yours|of ours)\b/i, 'your, our'],
  [/\b(?:nobody|somebody|whoever|whom)\b/i, 'a noun: the caller, a visitor, no recipient'],
  [/\bbec(?:omes?|ame) of\b/i, 'the outcome of'],
  [/\bsuch as (?:are|is)\b/i, 'a noun'],
  [/\bin vain\b/i, 'unused, needlessly'],
  [/\bbelongs? into\b/i, 'put it in'],
  [/\b(?:is|are|has|have) no \w+ any more\b/i, 'is no longer'],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|\w+ than\b)/i, 'is not a'],
  [/(?<!\bthere )\b(?:is|are) none\b/i, 'is not one'],
];

/** A sentence whose subject is a clause. */
const CLAUSE = /(?:^|[.:;]\s+)(?:What|Whatever|Whoever|Whom|Those)\s(?![^.:;]*\?)/;

const remarksOn = (text: string): string[] => {
  const found = WORDS.flatMap(([words, instead]) => {
    const [match] = words.exec(text) ?? [];
    return match === undefined ? [] : [`“${match}”: write ${instead}`];
  });
  return CLAUSE.test(text) ? [...found, 'begins with a clause: begin with its noun'] : found;
};
const faultsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => remarksOn(text).map((remark) => `${text}\n  ${remark}`));

const read = (file: string) => readFileSync(root + file, 'utf8');
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name) && !name.includes('node_modules') && !name.includes('/.tmp/'));

/** Whether a file may have a fault: most have none of the words, and no capital of a clause, and need not be parsed. */
const mayHaveFaults = (text: string) =>
  WORDS.some(([words]) => words.test(text)) || /\b(?:What|Whatever|Whoever|Whom|Those)\s/.test(text);

/** The faults of the texts of files. */
const faultsIn = (files: readonly string[], textsOf: (text: string) => readonly string[]) =>
  files.flatMap((file) => {
    const text = read(file);
    return mayHaveFaults(text) ? faultsOf(textsOf(text)).map((fault) => `${file}: ${fault}`) : [];
  });

/** The paragraphs, items and cells of a page, without code. A heading may begin with “What”. */
const paragraphsOf = (markdown: string) =>
  markdown
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/```[^]*?```|`[^`]*`/g, '…')
    .replace(/^#+ What /gm, '# ')
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.))|\|/)
    .map((text) =>
      text
        .replace(/\s+/g, ' ')
        .replace(/^\s*(?:[-#]+|\d+\.)\s/, '')
        .trim(),
    );

describe('Plain words', () => {
  test.each(PAGES)('in %s', (page) => {
    expect(faultsOf(paragraphsOf(read(page)))).toEqual([]);
  });

  test('in messages', () => {
    const files = filesIn('src', /\.tsx?$/).filter((file) => !file.startsWith(OTHER_SOURCES));
    expect(files).not.toEqual([]);
    expect(faultsIn(files, textsIn)).toEqual([]);
  });

  test('in the names of tests', () => {
    const files = [...filesIn('test', /\.tsx?$/), ...filesIn('examples', /\.test\.ts$/)];
    expect(files).not.toEqual([]);
    expect(faultsIn(files, titlesIn)).toEqual([]);
  });

  test.each([
    'The mails of a run',
    'It has a database of yours',
    'What a key does comes with the journal',
    'Read it. Those are kept',
    'which is no absolute URL',
    'Nobody gets it',
  ])('are not in: %s', (text) => {
    expect(remarksOn(text)).not.toEqual([]);
  });

  test.each([
    'Emails of a run',
    'there is no email',
    'It is no longer a draft',
    'What does it do?',
    'is no more than',
  ])('are in: %s', (text) => {
    expect(remarksOn(text)).toEqual([]);
  });
});
