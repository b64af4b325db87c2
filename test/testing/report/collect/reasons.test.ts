import { expect, test } from 'vitest';
import { reasonsOf } from '../../../../src/testing/report/collect/reasons.ts';

test.each([
  ['{"error":"Incorrect API token"}', [[null, 'Incorrect API token']]],
  ['{"error":"Unauthorized","errors":["Unauthorized"]}', [[null, 'Unauthorized']]],
  [
    '{"errors":{"name":["can\'t be blank","is too short"],"base":["Nothing to change"]}}',
    [
      ['name', "can't be blank"],
      ['name', 'is too short'],
      [null, 'Nothing to change'],
    ],
  ],
  ['{"errors":{"template":{"subject":["is missing"]}}}', [['template.subject', 'is missing']]],
  ['{"errors":{"to":[{"email":["is invalid"]}]}}', [['to[0].email', 'is invalid']]],
  ['{"success":false,"errors":["\'to\' must be an array"]}', [['to', 'must be an array']]],
  ['{"errors":{"from":{"email":["\'email\' is invalid"]}}}', [['from.email', 'is invalid']]],
  ['{"errors":{"to":["to is required"]}}', [['to', 'is required']]],
  ['{"errors":{"name":["names are missing"]}}', [['name', 'names are missing']]],
  ['{"errors":"Too many requests"}', [[null, 'Too many requests']]],
  ['<html></html>', []],
  ['{"errors":', []],
  ['null', []],
  [null, []],
])('the reasons in %s', (body, reasons) => {
  expect(reasonsOf(body).map(({ field, message }) => [field, message])).toEqual(reasons);
});

test('a known cause stands for the reasons without a field', () => {
  const body = '{"error":"Unauthorized","errors":["Unauthorized",{"from":["is not allowed"]}]}';
  expect(reasonsOf(body, 'No such token')).toEqual([
    { field: null, message: 'No such token' },
    { field: 'from', message: 'is not allowed' },
  ]);
});
