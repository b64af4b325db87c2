/** An email that the client library of another service is tested with, and what its tests expect of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { said } from './said.ts';

const file = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

describe('The email of another library', () => {
  test('has three links, two of one URL', () => {
    const { links, link } = said({ html: file('testEmail.html') });
    expect(links).toEqual([
      { url: 'https://mailosaur.com/', text: 'mailosaur' },
      { url: 'https://mailosaur.com/', text: 'Inline image 1' },
      { url: 'http://invalid/', text: 'invalid' },
    ]);
    expect(link('Mailosaur')).toBe('https://mailosaur.com/');
    expect(link('inline image 1')).toBe('https://mailosaur.com/');
    expect(link(/mailosaur\.com/)).toBe('https://mailosaur.com/');
  });

  test('has one code of digits, and one that a pattern finds', () => {
    const { code, codes } = said({ html: file('testEmail.html') });
    expect(codes).toEqual(['123456']);
    expect(code()).toBe('123456');
    expect(code(/special ID is (\w+)/)).toBe('G3H1Y2');
    expect(code(/[A-Z]\d[A-Z]\d[A-Z]\d/)).toBe('G3H1Y2');
  });

  test('has links and a code in its text', () => {
    const { links, code } = said({ text: file('testEmail.txt') });
    const link = { url: 'https://mailosaur.com/', text: 'https://mailosaur.com/' };
    expect(links).toEqual([link, link]);
    expect(code()).toBe('654321');
    expect(code(/special ID is (\w+)/)).toBe('5H0Y2');
  });
});
