import * as z from 'zod';
import { keyed } from '../base/schema-issues.ts';
import type { ContactResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

const values = keyed(z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A contact: the result of `contacts.create` and `contacts.get`. */
export const contact = z.looseObject({
  id: z.string(),
  email: z.string(),
  fields: values,
  list_ids: z.array(z.int()),
  status: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
}) satisfies SchemaFor<ContactResponses['contact']>;

/** The result of `contacts.update`. */
export const contactUpdateResult = z.looseObject({
  data: contact,
  action: z.string(),
}) satisfies SchemaFor<ContactResponses['contactUpdateResult']>;

/** The result of `contacts.createEvent`. */
export const contactEvent = z.looseObject({
  contact_id: z.string(),
  contact_email: z.string(),
  name: z.string(),
  params: values,
}) satisfies SchemaFor<ContactResponses['contactEvent']>;

/** A list of contacts: the result of `contacts.lists.create`, `get` and `update`. */
export const contactList = z.looseObject({
  id: z.int(),
  name: z.string(),
}) satisfies SchemaFor<ContactResponses['contactList']>;

/** The response of `contacts.lists.list`. */
export const contactListList = z.array(contactList) satisfies SchemaFor<ContactResponses['contactListList']>;

/** A contact field: the result of `contacts.fields.create`, `get` and `update`. */
export const contactField = z.looseObject({
  id: z.int(),
  name: z.string(),
  data_type: z.string(),
  merge_tag: z.string(),
}) satisfies SchemaFor<ContactResponses['contactField']>;

/** The response of `contacts.fields.list`. */
export const contactFieldList = z.array(contactField) satisfies SchemaFor<
  ContactResponses['contactFieldList']
>;

/** The result of `contacts.imports.create` and `get`. */
export const contactImport = z.looseObject({
  id: z.int(),
  status: z.string(),
  created_contacts_count: z.int().optional(),
  updated_contacts_count: z.int().optional(),
  contacts_over_limit_count: z.int().optional(),
}) satisfies SchemaFor<ContactResponses['contactImport']>;

/** The result of `contacts.exports.create` and `get`. */
export const contactExport = z.looseObject({
  id: z.int(),
  status: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  url: z.string().nullable(),
}) satisfies SchemaFor<ContactResponses['contactExport']>;
