import { parse } from '@handlebars/parser';
import Handlebars from 'handlebars';
import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../src/handlebars/parse.ts';
import { renderTemplate } from '../../../src/handlebars/render.ts';
import { readInto, Shape } from '../../../src/handlebars/shape.ts';
import { unusedIn } from '../../../src/handlebars/unused.ts';
import { asService, realHandlebars } from '../../handlebars/real-handlebars.ts';
import { CORPUS, OTHERS } from './corpus.ts';
import { fieldsOf, withoutOne } from './samples.ts';

const read = CORPUS.map(([name, text]) => {
  const template = parseTemplate(text);
  const variables = new Shape();
  readInto(variables, name, template);
  const strict = Handlebars.compile(text, { strict: true });
  return { name, text, template, variables, strict };
});
const real = realHandlebars();

test('every helper and partial that the service lacks is named with its line', () => {
  const named = OTHERS.flatMap(([name, text]) => {
    const lines = text.split('\n');
    return parseTemplate(text).problems.map(({ message, line }) => ({
      name,
      message,
      text: lines[line - 1] ?? '',
    }));
  });
  expect(named.length).toBeGreaterThan(30);
  for (const { message, text } of named) {
    const [, helper = ''] =
      /^the service has no (?:helper |partials, such as \{\{> )(\S+?)(?:\}\})?$/.exec(message) ?? [];
    expect(helper).not.toBe('');
    expect(text).toContain(helper);
  }
});

describe.each(read)('$name', ({ text, template, variables, strict }) => {
  test('needs nothing that the service lacks', () => {
    expect(template.problems).toEqual([]);
  });

  test('a sample of the inferred type renders in strict mode, and every variable of it is read', () => {
    const sample = fieldsOf(variables);
    expect(strict(sample)).toContain('v');
    expect(unusedIn(variables, sample)).toEqual([]);
    expect(unusedIn(variables, { ...sample, nmae: 1 })).toEqual(['nmae']);
  });

  test('is rendered as real Handlebars renders it, with all variables, with the required ones and with none', () => {
    for (const data of [fieldsOf(variables), fieldsOf(variables, 'required'), {}]) {
      const rendered = renderTemplate(template, data);
      // From the tree of the newer parser, which repaired the spaces of `{{else if}}`.
      expect(rendered).toBe(asService(real.compile(parse(text))(data)));
      if (!text.includes('{{else ')) expect(rendered).toBe(asService(real.compile(text)(data)));
    }
  });

  test('the required variables suffice: nothing is missing', () => {
    const missing: string[] = [];
    const onMissing = (path: string) => missing.push(path);
    renderTemplate(template, fieldsOf(variables, 'required'), { onMissing });
    expect(missing).toEqual([]);
  });
});

test('a required variable that is dropped is noticed: by strict Handlebars, and by the emulator', () => {
  let [dropped, strictly, byEmulator] = [0, 0, 0];
  for (const { template, variables, strict } of read) {
    for (const data of withoutOne(variables)) {
      dropped += 1;
      try {
        strict(data);
      } catch {
        strictly += 1;
      }
      const missing: string[] = [];
      const onMissing = (path: string) => missing.push(path);
      renderTemplate(template, data, { onMissing });
      if (missing.length > 0) byEmulator += 1;
    }
  }
  expect(dropped).toBeGreaterThan(150);
  // In a branch that is not taken, nothing is read; and Handlebars takes a list that is missing for an empty one.
  expect(strictly / dropped).toBeGreaterThan(0.8);
  expect(byEmulator / dropped).toBeGreaterThan(0.9);
});
