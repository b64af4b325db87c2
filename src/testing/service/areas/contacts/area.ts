import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { ContactJobs } from '../../state/audience/contact-jobs.ts';
import { contactRoutes } from './routes.ts';
import { contactOptions, ContactStore } from '../../state/audience/contacts.ts';

const GROUPS = ['Customers', 'Newsletter', 'Trial', 'Partners', 'Press'];
const PLACES = ['Europe', 'Americas', 'Asia', 'Africa', 'Oceania', 'Nordics', 'Iberia', 'Balkans'];
const CITIES = ['Lisbon', 'Oslo', 'Lima', 'Accra', 'Osaka', 'Perth'] as const;
const COUNT = 2400;

/** Adds the lists of the demo campaigns, two contact fields, and the contacts on the lists. */
function seedContacts({ contacts, streams, accountId, clock }: World): void {
  const random = streams.of('demo contacts');
  const now = clock.now();
  for (const place of PLACES)
    for (const group of GROUPS) contacts.lists.insert({ accountId, name: `${group} ${place}` });
  contacts.fields.insert({ accountId, name: 'First name', dataType: 'text', mergeTag: 'first_name' });
  contacts.fields.insert({ accountId, name: 'City', dataType: 'text', mergeTag: 'city' });
  const lists = PLACES.length * GROUPS.length;
  for (let index = 0; index < COUNT; index += 1) {
    const createdAt = now - (COUNT - index) * 3_600_000;
    contacts.put({
      id: random.uuid(),
      accountId,
      createdAt,
      updatedAt: createdAt,
      email: `contact${index}@example.org`,
      fields: { first_name: `Contact ${index}`, city: random.pick(CITIES) },
      listIds: [...new Set([random.between(1, lists), random.between(1, lists)])],
      status: index % 25 === 24 ? 'unsubscribed' : 'subscribed',
    });
  }
}

/** Contacts, their lists and fields, and their imports and exports. */
export const contacts = area<'contacts' | 'contactJobs', 'contacts'>({
  name: 'contacts',
  options: { contacts: contactOptions },
  keep: (world) => ({ contacts: new ContactStore(world.state), contactJobs: new ContactJobs(world) }),
  routes: contactRoutes,
  seed: (world, seed) => {
    if (seed === 'demo') seedContacts(world);
  },
  file: ({ contactJobs }, path) => contactJobs.file(path),
});
