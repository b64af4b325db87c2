import { area } from '../area.ts';
import { logControls } from './controls.ts';
import { Courses } from './course.ts';
import { seedLogs } from './demo.ts';
import { sourceOf } from './eml.ts';
import { logOptions } from './options.ts';
import { logRoutes } from './routes.ts';
import { LogStore } from './store.ts';

/** The email logs. */
export const emailLogs = area<'logs' | 'courses', 'logs'>({
  name: 'email-logs',
  options: { logs: logOptions },
  keep: (world) => ({
    logs: new LogStore(world.state, world.settings.logs.keep, (record) => {
      world.sums.add(record);
      world.sources.logged(record, () => world.clock.now());
    }),
    courses: new Courses(world.settings.sending),
  }),
  routes: logRoutes,
  seed: (world, seed) => {
    if (seed === 'demo') seedLogs(world);
  },
  file: ({ logs }, path) => {
    const record = logs.anywhere(/^\/messages\/(.+)\.eml$/.exec(path)?.[1] ?? '');
    return record && { type: 'message/rfc822', body: sourceOf(record) };
  },
  controls: logControls,
});
