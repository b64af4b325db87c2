import { area } from '../area.ts';
import { seedContacts } from './demo.ts';
import { ContactJobs } from './jobs.ts';
import { contactOptions } from './options.ts';
import { contactRoutes } from './routes.ts';
import { ContactStore } from './store.ts';

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
