import { describe, expect, test } from 'vitest';
import { pathText, type StandardIssue } from '../../src/core/standard-schema.ts';

describe('The path of a schema’s issue, as one writes it in code', () => {
  test.each<[StandardIssue['path'], string]>([
    [undefined, ''],
    [[], ''],
    [['data'], 'data'],
    [['data', 'contact_list_ids', 2], 'data.contact_list_ids[2]'],
    [[0, 'name'], '[0].name'],
    [[{ key: 'data' }, { key: 1 }, { key: 'x' }], 'data[1].x'],
  ])('%j is %s', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});
