import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { addressOf, declaredEndpoints, unnamed } from '../support/declared-endpoints.ts';
import { BESIDES, surface, TOTALS } from './surface.ts';

const called = declaredEndpoints();
const nameOf = ({ method, verb, path }: { method: string; verb: string; path: string }) =>
  `${method} ${verb} ${path}`;
const endpoints = called.filter((endpoint) => BESIDES[nameOf(endpoint)] === undefined);

const WHERE = 'TOTALS in test/spec/surface.ts, counted by hand in the sources';
const count = (holds: (row: (typeof surface)[number]) => boolean) => surface.filter(holds).length;

describe('The table of endpoints', () => {
  test('has each of them once', () => {
    expect(surface.length, WHERE).toBe(TOTALS.all);
    expect(new Set(surface.map(addressOf)).size).toBe(TOTALS.all);
  });

  test('has as many of each kind as the sources', () => {
    const counted = {
      all: surface.length,
      specified: count(({ source }) => source === 'specified'),
      inPart: count(({ source }) => source === 'in part'),
      referenced: count(({ source }) => source === 'referenced'),
      recorded: count(({ recorded }) => recorded.length > 0),
      inBothFamilies: count(({ accountPath }) => accountPath !== undefined),
    };
    expect(counted, WHERE).toEqual(TOTALS);
  });
});

/** The endpoints that are called as a row of the table says. */
const callsOf = (row: (typeof surface)[number]) =>
  endpoints
    .filter((endpoint) => addressOf(endpoint) === addressOf(row))
    .map(({ method, accountPath, pool = 'token', accountPool = 'token', isRepeatable }) => ({
      method,
      accountPath: unnamed(accountPath),
      pool,
      accountPool,
      isRepeatable,
    }));

const wantedOf = ({ method, path, accountPath = path, pool, isRepeatable }: (typeof surface)[number]) => ({
  method,
  accountPath: unnamed(accountPath),
  pool,
  accountPool: pool,
  isRepeatable,
});

describe('Each endpoint is called by one method, in each family, under its pool, as often as it may be', () => {
  test.each(surface.map((row) => [nameOf(row), row.host, row] as const))('%s (%s)', (_name, _host, row) => {
    expect(callsOf(row)).toEqual([wantedOf(row)]);
  });
});

test('nothing else is called, except what has a reason', () => {
  const known = new Set(surface.map(addressOf));
  const others = called.filter(
    (endpoint) => !known.has(addressOf(endpoint)) || BESIDES[nameOf(endpoint)] !== undefined,
  );
  expect(others.map(nameOf).sort()).toEqual(Object.keys(BESIDES).sort());
});

test('the README says that every one of them has a method', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const without = surface.filter((row) => !isDeepStrictEqual(callsOf(row), [wantedOf(row)]));
  expect(without.map(nameOf)).toEqual([]);
  expect(readme).toContain('It has a method for **every endpoint** of the service');
});
