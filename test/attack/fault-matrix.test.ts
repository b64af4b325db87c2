import { EmailPlatform } from 'email-platform';
import { expect, test } from 'vitest';
import { declaredEndpoints } from '../support/declared-endpoints.ts';
import { resourceMethods } from '../support/resource-methods.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { CALLS, methodOf } from '../support/calls/calls.ts';
import { answerCell, timesOf } from './cells.ts';
import { COVER } from './faults.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { matrix } from './matrix.ts';

matrix({
  name: 'with a scripted fetch',
  faults: [...ANSWER_FAULTS, ...MACHINE_FAULTS],
  cover: COVER,
  cell: answerCell,
  timesOf: (call, { meaning }) => timesOf(call, meaning),
});

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });

test('The matrix has every method that sends something', () => {
  // The first looks at a domain that the caller has already; the others are made of methods that are here.
  const others = [
    'sendingDomains.isVerified',
    'contacts.imports.run',
    'contacts.exports.download',
    'contacts.lists.ensure',
    'contacts.fields.ensure',
  ];
  const methods = resourceMethods(client).filter(({ name }) => !others.includes(name));
  const called = new Set(CALLS.map(methodOf));
  called.delete('request');
  expect([...called].sort()).toEqual(methods.map(({ name }) => name).sort());
});

test('The calls marked as harmful are the calls that the client does not repeat', () => {
  const endpoints = declaredEndpoints();
  const harmful = endpoints.filter(({ isRepeatable }) => !isRepeatable).map(({ method }) => method);
  const called = CALLS.filter(({ repeated }) => repeated === 'does it twice').map(methodOf);
  expect(new Set(called)).toEqual(new Set([...harmful, 'sending.batchAll', 'request']));
});
