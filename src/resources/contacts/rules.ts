import { late } from '../../kit/late.ts';
import type { Hints } from '../../core/other-names.ts';
import { isRecord } from '../../core/record.ts';
import {
  arrayOf,
  booleanRule,
  mustBe,
  objectOf,
  idRule,
  oneOf,
  recordOf,
  stringRule,
  type Rule,
  type Rules,
} from '../../core/rules.ts';
import { isScalar, listOf, textUpTo, updateOf } from '../base/param-rules.ts';
import type { ContactExportCreateParams } from './export-types.ts';
import type { ContactImportCreateParams, ContactImportItem } from './import-types.ts';
import type {
  ContactCreateParams,
  ContactEventCreateParams,
  ContactFieldCreateParams,
  ContactFieldUpdateParams,
  ContactListListParams,
  ContactUpdateParams,
} from './types.ts';

/** Contacts in one import. */
export const MAX_IMPORTED = 50_000;

const idsRule = late(() => arrayOf(idRule));
const valuesRule = late(() =>
  recordOf(
    mustBe('a string, a finite number, true, false or null', (value) => value === null || isScalar(value)),
  ),
);

const importItem = late((): Rules<ContactImportItem> => ({
  email: stringRule,
  fields: valuesRule(),
  list_ids_included: idsRule(),
  list_ids_excluded: idsRule(),
}));
const fieldRules = late((): Rules<ContactFieldUpdateParams> => ({
  name: textUpTo(80),
  merge_tag: textUpTo(80),
}));
/** A contact has few fields of the service, and many custom fields. */
const OWN_FIELDS: Hints = { '*': 'your own fields go into `fields`, by their merge tags' };
const IN_UPDATE: Hints = { ...OWN_FIELDS, list_ids: 'it is `list_ids_included`' };
/** Checks one contact of an import. */
export const importItemRule = late(() => objectOf(importItem(), ['email'], 'an object', IN_UPDATE));
const manyContacts = late(() => arrayOf(importItemRule()));

export const contactCreateRule = late(() =>
  objectOf<ContactCreateParams>(
    { email: stringRule, fields: valuesRule(), list_ids: idsRule() },
    ['email'],
    'an object',
    { ...OWN_FIELDS, list_ids_included: 'it is `list_ids`' },
  ),
);
export const contactUpdateRule = late(() =>
  updateOf<ContactUpdateParams>({ ...importItem(), unsubscribed: booleanRule }, IN_UPDATE),
);
export const contactEventRule = late(() =>
  objectOf<ContactEventCreateParams>({ name: textUpTo(255), params: valuesRule() }, ['name'], 'an object', {
    '*': 'your own values go into `params`',
  }),
);
export const contactListListRule = late(() => listOf<ContactListListParams>({ search: stringRule }));
export const contactFieldCreateRule = late(() =>
  objectOf<ContactFieldCreateParams>({ ...fieldRules(), data_type: stringRule }, [
    'name',
    'data_type',
    'merge_tag',
  ]),
);
export const contactFieldUpdateRule = late(() => updateOf(fieldRules()));
export const contactImportRule = late(() =>
  objectOf<ContactImportCreateParams>(
    {
      contacts: (contacts) =>
        Array.isArray(contacts) && contacts.length > MAX_IMPORTED
          ? `must have at most ${MAX_IMPORTED} contacts`
          : manyContacts()(contacts),
    },
    ['contacts'],
  ),
);
const exportFilters = late(() => {
  const filterWith = (value: Rule) =>
    objectOf({ name: stringRule, operator: oneOf(['equal']), value }, ['name', 'operator', 'value']);
  return {
    list_id: filterWith(idsRule()),
    subscription_status: filterWith(oneOf(['subscribed', 'unsubscribed'])),
  };
});
/** The service rejects a filter of another name, so the client does not check it. */
const exportFilter: Rule = (filter) => {
  const name = isRecord(filter) ? filter.name : undefined;
  return name === 'list_id' || name === 'subscription_status' ? exportFilters()[name](filter) : undefined;
};
export const contactExportRule = late(() =>
  objectOf<ContactExportCreateParams>({ filters: arrayOf(exportFilter) }),
);
