import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  folderNameOf,
  functionNameOf,
  problemOfName,
  typeNameOf,
} from '../../../src/entries/templates/names.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/extent.ts';

describe('the folder of a template', () => {
  test.each([
    ['Receipt', 'receipt'],
    ['Order Confirmation (v2)', 'order-confirmation-v2'],
    ['2FA code', '2fa-code'],
    ['Delete', 'delete'],
    ['Пароль', 'пароль'],
    ['Café\u0301', 'café\u0301'.normalize('NFC')],
    ['注文の確認', '注文の確認'],
    ['../../evil', 'evil'],
    ['/etc/passwd', 'etc-passwd'],
    ['C:\\Windows', 'c-windows'],
    ['a\0b', 'a-b'],
    ['..', 'template-7'],
    ['🎉', 'template-7'],
    ['', 'template-7'],
    ['CON', 'con-7'],
    ['lpt1', 'lpt1-7'],
    ['COM¹', 'com¹-7'],
    ['\u0301\u0301', 'template-7'],
    ['\u0301 a', 'a'],
    ['x'.repeat(80), 'x'.repeat(60)],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
  ])('%j → %s', (name, folder) => {
    expect(folderNameOf(name, 7)).toBe(folder);
  });

  test('any name is one step of a path, on every system', () => {
    const name = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string(),
      fc.constantFrom('..', '.', 'aux.txt', 'nul ', 'a/../b'),
    );
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 9 }), (given, id) => {
        const folder = folderNameOf(given, id);
        expect(folder).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
        expect(Array.from(folder).length).toBeLessThanOrEqual(60);
        expect(folder).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i);
        // The same again: a pull finds the folder of the last one.
        expect(folderNameOf(folder, id)).toMatch(new RegExp(`^${folder}(-${id})?$`, 'u'));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('the function of a template', () => {
  test.each([
    ['receipt', 'receipt', undefined],
    ['order-confirmation', 'orderConfirmation', undefined],
    ['Order_Confirmation', 'orderConfirmation', undefined],
    ['пароль-сброс', 'парольСброс', undefined],
    ['注文', '注文', undefined],
    ['2fa-code', '2faCode', 'begins with a digit'],
    ['delete', 'delete', 'is a reserved name'],
    ['emails', 'emails', 'is a reserved name'],
    ['then', 'then', 'is a reserved name'],
    ['---', '', 'is not a valid name in JavaScript'],
  ])('%s → %s', (folder, name, problem) => {
    expect(functionNameOf(folder)).toBe(name);
    expect(problemOfName(name)).toBe(problem);
  });

  test('the type of its variables', () => {
    expect(typeNameOf('orderConfirmation')).toBe('OrderConfirmationVariables');
  });
});
