import { decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { nameRule } from '../base/param-rules.ts';
import {
  contactCreateRule,
  contactEventRule,
  contactExportRule,
  contactFieldCreateRule,
  contactFieldUpdateRule,
  contactImportRule,
  contactListListRule,
  contactUpdateRule,
} from './rules.ts';
import type { ContactExport } from './export-types.ts';
import type { ContactImport } from './import-types.ts';
import type { Contact, ContactEvent, ContactField, ContactList, ContactUpdateResult } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface ContactResponses {
  contact: Contact;
  contactEvent: ContactEvent;
  contactExport: ContactExport;
  contactField: ContactField;
  contactFieldList: ContactField[];
  contactImport: ContactImport;
  contactList: ContactList;
  contactListList: ContactList[];
  contactUpdateResult: ContactUpdateResult;
}

const { list, result } = decodersOf<ContactResponses>();

/** The endpoints of `client.contacts`. */
export const contacts = endpointsOf('contacts', () => {
  const contact = result('contact', { field: 'data' });

  return {
    create: endpoint('POST {account}/contacts', contact, {
      params: contactCreateRule(),
      wrapper: 'contact',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/contacts/{contact:contact}', contact),
    update: endpoint(
      'PATCH {account}/contacts/{contact:contact}',
      result('contactUpdateResult', { needs: { data: 'object' } }),
      {
        params: contactUpdateRule(),
        wrapper: 'contact',
        repeatable: 'sets fields to the values given',
        // A second update would not find the old address any more, and would create a contact.
        unless: ({ email }, ids) => email !== undefined && email !== ids.contact,
        reachesPeople: false,
      },
    ),
    delete: endpoint('DELETE {account}/contacts/{contact:contact}', nothing),
    createEvent: endpoint('POST {account}/contacts/{contact:contact}/events', result('contactEvent'), {
      params: contactEventRule(),
      reachesPeople: { kind: 'unknowable' },
    }),
  };
});

/** The endpoints of `client.contacts.lists`. */
export const lists = endpointsOf('contacts.lists', () => {
  const contactList = result('contactList');

  return {
    list: endpoint('GET {account}/contacts/lists', list('contactListList'), {
      params: contactListListRule(),
    }),
    create: endpoint('POST {account}/contacts/lists', contactList, {
      params: nameRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/contacts/lists/{id}', contactList),
    update: endpoint('PATCH {account}/contacts/lists/{id}', contactList, {
      params: nameRule(),
      repeatable: 'sets the name to the value given; the second time it is that already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/contacts/lists/{id}', nothing),
  };
});

/** The endpoints of `client.contacts.fields`. */
export const fields = endpointsOf('contacts.fields', () => {
  const contactField = result('contactField');

  return {
    list: endpoint('GET {account}/contacts/fields', list('contactFieldList')),
    create: endpoint('POST {account}/contacts/fields', contactField, {
      params: contactFieldCreateRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/contacts/fields/{id}', contactField),
    update: endpoint('PATCH {account}/contacts/fields/{id}', contactField, {
      params: contactFieldUpdateRule(),
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/contacts/fields/{id}', nothing),
  };
});

/** The endpoints of `client.contacts.imports`. */
export const imports = endpointsOf('contacts.imports', () => {
  const contactImport = result('contactImport');

  return {
    create: endpoint('POST {account}/contacts/imports', contactImport, {
      params: contactImportRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/contacts/imports/{id}', contactImport),
  };
});

/** The endpoints of `client.contacts.exports`. */
export const exports = endpointsOf('contacts.exports', () => {
  const contactExport = result('contactExport', { signed: ['url'] });

  return {
    create: endpoint('POST {account}/contacts/exports', contactExport, {
      params: contactExportRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/contacts/exports/{id}', contactExport),
  };
});
