import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model, type Service } from './model.ts';
import type { InboxModel, RuleModel } from './reference-inbound.ts';
import { agree, Refused } from './verdict.ts';

const NO_ID = 99_999;

const names = fc.constantFrom('Support', 'Orders', 'Press');
const folderAt = ({ inbound }: Model, at: number) => pick([...inbound.folders.keys()], at) ?? NO_ID;
export const inboxAt = ({ inbound }: Model, at: number) => pick([...inbound.inboxes.keys()], at) ?? NO_ID;
/** An inbox and its folder; sometimes one that is not there, or in another folder. */
const inboxInFolder = fc.tuple(position, fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, position));
const pathOf = (model: Model, [at, other]: readonly [number, number | null]): readonly [number, number] => {
  const id = inboxAt(model, at);
  const own = model.inbound.inboxes.get(id)?.folderId ?? folderAt(model, at);
  return [other === null ? own : folderAt(model, other), id];
};

const viewOf = ({ id, name, address }: InboxModel) => ({ id, name, address });

const addInbox = steps(
  'add inbox',
  fc.tuple(position, names, fc.constantFrom('hosted', 'hosted', 'own', 'missing')),
  ([at, name, where], model, { client }) => {
    const folderId = folderAt(model, at);
    const [domain] = model.mail.domains;
    const domain_id = where === 'hosted' ? undefined : where === 'own' ? domain?.id : NO_ID;
    return agree(
      client.inbound.inboxes.create(folderId, { name, domain_id }),
      () => {
        model.inbound.folder(folderId);
        if (where === 'missing') throw new Refused(422, 'ValidationError', 1);
      },
      (real) => {
        const { id, address } = real;
        const isHosted = where === 'hosted';
        const all = [...model.inbound.inboxes.values()];
        expect(all.map((one) => one.id)).not.toContain(id);
        if (isHosted) {
          expect(all.map((one) => one.address)).not.toContain(address);
          expect(address.startsWith(`${name.toLowerCase()}-`)).toBe(true);
        } else expect(address).toBe(`*@${domain?.name}`);
        const inbox = { id, folderId, name, address, isHosted };
        expect(real).toMatchObject({ ...viewOf(inbox), ...(isHosted ? {} : { domain_id }) });
        model.inbound.inboxes.set(id, inbox);
      },
    );
  },
);

const readInbox = steps('read inbox', inboxInFolder, (given, model, { client }) => {
  const [folderId, id] = pathOf(model, given);
  return agree(
    client.inbound.inboxes.get(folderId, id),
    () => model.inbound.inboxIn(folderId, id),
    (real, inbox) => expect(real).toMatchObject(viewOf(inbox)),
  );
});

const renameInbox = steps(
  'rename inbox',
  fc.tuple(inboxInFolder, names),
  ([given, name], model, { client }) => {
    const [folderId, id] = pathOf(model, given);
    return agree(
      client.inbound.inboxes.update(folderId, id, { name }),
      () => Object.assign(model.inbound.inboxIn(folderId, id), { name }),
      (real, inbox) => expect(real).toMatchObject(viewOf(inbox)),
    );
  },
);

/** Never removes the first inbox, for the same reason. */
const removeInbox = steps('remove inbox', inboxInFolder, (given, model, { client }) => {
  const [folderId, some] = pathOf(model, given);
  const id = some === model.inbound.inboxes.keys().next().value ? NO_ID : some;
  return agree(
    client.inbound.inboxes.delete(folderId, id),
    () => model.inbound.removeInbox(model.inbound.inboxIn(folderId, id)),
    (real) => expect(real).toBeUndefined(),
  );
});

const listInboxes = steps('list inboxes', position, (at, model, { client }) => {
  const folderId = folderAt(model, at);
  return agree(
    client.inbound.inboxes.list(folderId).toArray(),
    () => (
      model.inbound.folder(folderId),
      [...model.inbound.inboxes.values()].filter((one) => one.folderId === folderId)
    ),
    (real, expected) => expect(real).toMatchObject(expected.map(viewOf)),
  );
});

const condition = fc.constantFrom<EmailPlatform.ForwardRuleCondition>(
  { match_type: 'sender', operator: 'equal', value: 'ann@example.org' },
  { match_type: 'sender', operator: 'not_equal', value: 'ann@example.org' },
  { match_type: 'sender', operator: 'starts_with', value: 'ben@' },
  { match_type: 'sender', operator: 'ends_with', value: '@example.org' },
  { match_type: 'sender', operator: 'contains', value: 'n@ex' },
  { match_type: 'recipient', operator: 'equal', value: 'cy@example.org' },
  { match_type: 'recipient', operator: 'starts_with', value: 'sales@' },
  { match_type: 'header', operator: 'equal', value: 'invoice', header_key: 'X-Kind' },
  { match_type: 'header', operator: 'empty', header_key: 'X-Kind' },
  { match_type: 'header', operator: 'not_empty', header_key: 'X-Kind' },
);
const conditions = fc.array(condition, { maxLength: 2 });
const destinations = fc.uniqueArray(fc.constantFrom('books@example.com', 'boss@example.com'), {
  minLength: 1,
});
const emails = (some: readonly string[]) => some.map((email) => ({ email }));

function expectSameRule(
  real: EmailPlatform.ForwardRule,
  { id, name, conditions: met, destinations: to }: RuleModel,
): void {
  expect(real).toMatchObject({ id, name, conditions: met, destinations: emails(to) });
  expect(real.conditions).toHaveLength(met.length);
}

/** A rule and its inbox; sometimes another inbox, or none of either. */
const ruleAt = (model: Model, at: number, other: number | null): readonly [inboxId: number, id: number] => {
  const rule = pick([...model.inbound.rules.values()], at);
  const own = rule?.inboxId ?? inboxAt(model, at);
  return [other === null ? own : inboxAt(model, other), rule?.id ?? NO_ID];
};
const rulePosition = fc.tuple(position, fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, position));

const addRule = steps(
  'add rule',
  fc.tuple(position, names, conditions, destinations),
  ([at, name, met, to], model, { client }) => {
    const inboxId = inboxAt(model, at);
    return agree(
      client.inbound.forwardRules.create(inboxId, { name, conditions: met, destinations: emails(to) }),
      () => model.inbound.checkRoomForRule(inboxId),
      (real) => {
        const rule = { id: real.id, inboxId, name, conditions: met, destinations: to };
        expect(model.inbound.rules.has(real.id)).toBe(false);
        expectSameRule(real, rule);
        model.inbound.rules.set(real.id, rule);
      },
    );
  },
);

const changeRule = steps(
  'change rule',
  fc.tuple(
    rulePosition,
    fc
      .record({ name: names, conditions, destinations }, { requiredKeys: [] })
      .filter((given) => Object.keys(given).length > 0),
  ),
  ([[at, other], changes], model, { client }) => {
    const [inboxId, id] = ruleAt(model, at, other);
    const { destinations: to, ...rest } = changes;
    return agree(
      client.inbound.forwardRules.update(inboxId, id, { ...rest, ...(to && { destinations: emails(to) }) }),
      () => Object.assign(model.inbound.rule(inboxId, id), changes),
      expectSameRule,
    );
  },
);

const readRule = steps('read rule', rulePosition, ([at, other], model, { client }) => {
  const [inboxId, id] = ruleAt(model, at, other);
  return agree(
    client.inbound.forwardRules.get(inboxId, id),
    () => model.inbound.rule(inboxId, id),
    expectSameRule,
  );
});

const removeRule = steps('remove rule', rulePosition, ([at, other], model, { client }) => {
  const [inboxId, id] = ruleAt(model, at, other);
  return agree(
    client.inbound.forwardRules.delete(inboxId, id),
    () => (model.inbound.rule(inboxId, id), model.inbound.rules.delete(id)),
    (real) => expect(real).toBeUndefined(),
  );
});

const listRules = steps('list rules', position, (at, model, { client }) => {
  const inboxId = inboxAt(model, at);
  return agree(
    client.inbound.forwardRules.list(inboxId).toArray(),
    () => model.inbound.rulesOf(inboxId),
    (real, expected) => {
      expect(real.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const one of real) expectSameRule(one, model.inbound.rule(inboxId, one.id));
    },
  );
});

/** A folder with an inbox of either kind. */
export async function addInboxes({ inbound, mail }: Model, { client }: Service): Promise<void> {
  const folder = await client.inbound.folders.create({ name: 'Support' });
  await client.sendingDomains.update(mail.domains[0]?.id ?? 0, { inbound_enabled: true });
  inbound.folders.set(folder.id, folder.name);
  for (const domain_id of [undefined, mail.domains[0]?.id]) {
    const { id, name, address } = await client.inbound.inboxes.create(folder.id, {
      name: 'Questions',
      domain_id,
    });
    inbound.inboxes.set(id, { id, name, address, folderId: folder.id, isHosted: domain_id === undefined });
  }
}

/** The steps on inboxes and rules. */
export const inboxSteps = [
  ...[addInbox, addInbox, readInbox, renameInbox, removeInbox, listInboxes],
  ...[addRule, addRule, addRule, changeRule, readRule, removeRule, listRules],
];
