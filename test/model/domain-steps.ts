import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DomainModel, Mail } from './reference-mail.ts';
import { pick, position, steps, type Model } from './model.ts';
import { agree } from './verdict.ts';

const NO_ID = 777_777;

function expectSameDomain(real: EmailPlatform.SendingDomain, domain: DomainModel, mail: Mail): void {
  const isVerified = mail.isVerified(domain);
  expect(real).toMatchObject({
    id: domain.id,
    domain_name: domain.name,
    dns_verified: isVerified,
    compliance_status: mail.complianceStatus(domain),
    ...domain.settings,
  });
  expect(real.dns_records.every(({ status }) => status === 'pass')).toBe(isVerified);
}

const addDomain = steps(
  'add domain',
  fc.constantFrom('a.example.com', 'b.example.com', 'c.example.com'),
  (domain_name, model, { client }) =>
    agree(
      client.sendingDomains.create({ domain_name }),
      () => model.mail.checkDomainName(domain_name),
      (real) => {
        const { id, open_tracking_enabled, click_tracking_enabled } = real;
        const domain = model.mail.addDomain(id, domain_name, {
          open_tracking_enabled,
          click_tracking_enabled,
        });
        expectSameDomain(real, domain, model.mail);
      },
    ),
);

/** Leaves out changes without any field: according to recorded exchanges the service may refuse them as unreadable. */
const some = <T extends object>(changes: fc.Arbitrary<T>) =>
  changes.filter((given) => Object.keys(given).length > 0);

const domainAt = (model: Model, at: number) => pick(model.mail.domains, at)?.id ?? NO_ID;

const readDomain = steps('read domain', position, (at, model, { client }) =>
  agree(
    client.sendingDomains.get(domainAt(model, at)),
    () => model.mail.domain(domainAt(model, at)),
    (real, domain) => expectSameDomain(real, domain, model.mail),
  ),
);

const changeDomain = steps(
  'change domain',
  fc.tuple(
    position,
    some(
      fc.record(
        { open_tracking_enabled: fc.boolean(), click_tracking_enabled: fc.boolean() },
        { requiredKeys: [] },
      ),
    ),
  ),
  ([at, changes], model, { client }) =>
    agree(
      client.sendingDomains.update(domainAt(model, at), changes),
      () => Object.assign(model.mail.domain(domainAt(model, at)).settings, changes),
      (real, settings) => expect(real).toMatchObject(settings),
    ),
);

/** Never removes the first domain; otherwise there would soon be none to send from. */
const removeDomain = steps('remove domain', position, (at, model, { client }) => {
  const id = pick(model.mail.domains.slice(1), at)?.id ?? NO_ID;
  return agree(
    client.sendingDomains.delete(id),
    () => (model.mail.domain(id).isRemoved = true),
    (real) => expect(real).toBeUndefined(),
  );
});

const listDomains = steps('list domains', fc.constant(''), async (_, model, { client }) => {
  const real = await client.sendingDomains.list().toArray();
  const expected = model.mail.domains.filter(({ isRemoved }) => !isRemoved);
  expect(sorted(real.map(({ id }) => id))).toEqual(sorted(expected.map(({ id }) => id)));
});

/** Sets a domain's verification without a request. */
export const verify = steps(
  'verify domain',
  fc.tuple(position, fc.constantFrom(true, true, false)),
  ([at, isVerified], model, { emulator }) => {
    const domain = pick(model.mail.domains, at);
    if (domain?.isRemoved === false) {
      emulator.domains.setVerified(domain.id, isVerified);
      domain.verifiedAt = isVerified ? model.now : Infinity;
    }
  },
);

const templateFields = {
  name: fc.constantFrom('Welcome', 'Receipt'),
  subject: fc.constantFrom('Hello', 'Your order'),
  category: fc.constantFrom('onboarding', 'orders'),
  body_html: fc.constantFrom(
    '<p>Hello</p><a href="https://example.com/">Go</a>',
    '<p>Thanks</p><a href="https://example.com/">Go</a>',
  ),
};

const addTemplate = steps('add template', fc.record(templateFields), async (fields, model, { client }) => {
  const real = await client.templates.create(fields);
  expect(real).toMatchObject(fields);
  expect(model.mail.templates.map(({ uuid }) => uuid)).not.toContain(real.uuid);
  model.mail.templates.push({ id: real.id, uuid: real.uuid, fields, isRemoved: false });
});

const templateAt = (model: Model, at: number) => pick(model.mail.templates, at)?.id ?? NO_ID;

const readTemplate = steps('read template', position, (at, model, { client }) =>
  agree(
    client.templates.get(templateAt(model, at)),
    () => model.mail.template(templateAt(model, at)),
    (real, { id, uuid, fields }) => expect(real).toMatchObject({ id, uuid, ...fields }),
  ),
);

const changeTemplate = steps(
  'change template',
  fc.tuple(position, some(fc.record(templateFields, { requiredKeys: [] }))),
  ([at, changes], model, { client }) =>
    agree(
      client.templates.update(templateAt(model, at), changes),
      () => {
        const template = model.mail.template(templateAt(model, at));
        template.fields = { ...template.fields, ...changes };
        return template;
      },
      (real, { id, uuid, fields }) => expect(real).toMatchObject({ id, uuid, ...fields }),
    ),
);

const removeTemplate = steps('remove template', position, (at, model, { client }) =>
  agree(
    client.templates.delete(templateAt(model, at)),
    () => (model.mail.template(templateAt(model, at)).isRemoved = true),
    (real) => expect(real).toBeUndefined(),
  ),
);

const listTemplates = steps('list templates', fc.constant(''), async (_, model, { client }) => {
  const real = await client.templates.list().toArray();
  const expected = model.mail.templates.filter(({ isRemoved }) => !isRemoved);
  expect(sorted(real.map(({ id }) => id))).toEqual(sorted(expected.map(({ id }) => id)));
});

const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);

/** The steps on sending domains. */
export const domainSteps = [addDomain, readDomain, changeDomain, removeDomain, listDomains, verify];
/** The steps on templates. */
export const templateSteps = [addTemplate, readTemplate, changeTemplate, removeTemplate, listTemplates];
