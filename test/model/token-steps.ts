import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model } from './model.ts';
import type { TokenModel } from './reference-account.ts';
import { agree } from './verdict.ts';

const NO_ID = 99_999;
const DAY_MS = 86_400_000;

/** Mostly far enough ahead or never; the past or more than five years ahead otherwise. */
const expiry = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 * DAY_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: -DAY_MS, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2000 * DAY_MS, max: 3000 * DAY_MS }) },
);
const timeOf = (model: Model, ahead: number | null) => (ahead === null ? null : model.now + ahead);
const dateOf = (at: number | null) => (at === null ? null : new Date(at));

/** One that works or was deleted: what can be done with one that was replaced or has expired is not published. */
const tokenAt = ({ account, now }: Model, at: number) => {
  const isClear = (token: TokenModel) =>
    token.state === 'deleted' || (token.state === 'current' && account.isValid(token, now));
  return pick(account.tokens.filter(isClear), at)?.id ?? NO_ID;
};

function expectSameToken(
  real: EmailPlatform.ApiToken,
  { id, name, secret, level, expiresAt }: TokenModel,
): void {
  expect(real).toMatchObject({
    id,
    name,
    last_4_digits: secret.slice(-4),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    resources: [{ resource_type: 'account', access_level: level }],
  });
}

/** The value of a token is in no other result than the one that it came with. */
function expectNoSecret(real: unknown, { account }: Model): void {
  const text = JSON.stringify(real);
  expect(text).not.toContain('"token"');
  for (const { secret } of account.tokens) expect(text).not.toContain(secret);
}

function expectNew(secret: string, id: number, { account }: Model): void {
  expect(account.tokens.map((one) => one.secret)).not.toContain(secret);
  expect(account.tokens.map((one) => one.id)).not.toContain(id);
}

const addToken = steps(
  'add token',
  fc.record({ name: fc.constantFrom('orders', 'reports'), level: fc.constantFrom(100, 10), expiry }),
  ({ name, level, expiry: ahead }, model, { client, emulator }) => {
    const { accountId } = emulator.clientOptions();
    const expiresAt = timeOf(model, ahead);
    const access_level: 100 | 10 = level === 100 ? 100 : 10;
    const resources = [{ resource_type: 'account', resource_id: accountId, access_level } as const];
    return agree(
      client.apiTokens.create({ name, resources, expires_at: dateOf(expiresAt) }),
      () => model.account.checkExpiry(expiresAt, model.now),
      (real) => {
        expectNew(real.token, real.id, model);
        const made = { id: real.id, name, secret: real.token, level: access_level, expiresAt };
        const token: TokenModel = { ...made, endsAt: Infinity, state: 'current' };
        expectSameToken(real, token);
        model.account.tokens.push(token);
      },
    );
  },
);

const resetToken = steps('reset token', fc.tuple(position, expiry), ([at, ahead], model, { client }) => {
  const id = tokenAt(model, at);
  const expiresAt = timeOf(model, ahead);
  return agree(
    client.apiTokens.reset(id, { expires_at: dateOf(expiresAt) }),
    () => {
      const old = model.account.token(id);
      model.account.checkExpiry(expiresAt, model.now);
      return old;
    },
    (real, old) => {
      expectNew(real.token, real.id, model);
      // As recorded, its name has the id appended.
      expect(real.name.startsWith(old.name) && real.name.endsWith(String(real.id))).toBe(true);
      model.account.replace(old, model.now);
      const made = { id: real.id, name: real.name, secret: real.token, level: old.level, expiresAt };
      const token: TokenModel = { ...made, endsAt: Infinity, state: 'current' };
      expectSameToken(real, token);
      model.account.tokens.push(token);
    },
  );
});

const readToken = steps('read token', position, (at, model, { client }) => {
  const id = tokenAt(model, at);
  return agree(
    client.apiTokens.get(id),
    () => model.account.token(id),
    (real, token) => {
      expectSameToken(real, token);
      expectNoSecret(real, model);
    },
  );
});

const removeToken = steps('remove token', position, (at, model, { client }) => {
  const id = tokenAt(model, at);
  return agree(
    client.apiTokens.delete(id),
    () => model.account.delete(model.account.token(id), model.now),
    (real) => expect(real).toBeUndefined(),
  );
});

const listTokens = steps('list tokens', fc.constant(''), async (_, model, { client }) => {
  const real = await client.apiTokens.list().toArray();
  expectNoSecret(real, model);
  const { account, now } = model;
  for (const token of account.tokens) {
    const found = real.find(({ id }) => id === token.id);
    if (token.state === 'deleted') expect(found).toBeUndefined();
    else if (token.state === 'current' && account.isValid(token, now))
      expectSameToken(found ?? ({} as EmailPlatform.ApiToken), token);
  }
});

/** With any token, of a request that it is too weak for or that asks for nothing that is there. */
const useToken = steps('use token', position, async (at, model, { client }) => {
  const token = model.account.tokens[at % Math.max(1, model.account.tokens.length)];
  if (token === undefined) return 'none';
  const holder = client.withOptions({ token: token.secret });
  await agree(
    holder.contacts.lists.delete(NO_ID),
    () => model.account.tryToken(token, model.now),
    () => undefined,
  );
  return `${token.state}, ${model.account.isValid(token, model.now) ? 'works' : 'does not work'}`;
});

/** The steps on API tokens. */
export const tokenSteps = [
  ...[addToken, addToken, addToken, resetToken, resetToken, resetToken],
  ...[readToken, readToken, removeToken, listTokens, ...Array.from({ length: 7 }, () => useToken)],
];
