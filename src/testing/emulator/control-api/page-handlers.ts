/** The handlers of the live page, and of the data of reports. */
import { withLinksInNewTabs, withScheme } from '../../common/inert-links.ts';
import type { LiveFault } from '../../report/data/live-data.ts';
import type { Reports } from '../../report/report.ts';
import { reportOptions, type EmulatorReportOptions } from '../../report/report-options.ts';
import type { FaultQueue } from '../../service/engine/faults.ts';
import type { World } from '../../service/state/world.ts';
import { notFound, ok, type Reply } from '../../service/wire/reply.ts';
import { controlledCheck, type Handlers } from './asked.ts';
import { htmlOf } from './message-parts.ts';
import { pendingFaults } from '../../service/engine/fault-kind.ts';
import { toJson } from './serialize.ts';

/** The most received messages that the page lists. */
const LISTED = 20;

/** The handlers of the page, by the names of their operations. */
export function pageHandlers(
  world: () => World,
  reports: Reports,
  faults: Pick<FaultQueue, 'list'>,
): Handlers {
  const live = reports.live(() => {
    const { clock, inbound } = world();
    return {
      clock: { now: clock.now(), paused: clock.isPaused },
      faults: toJson(pendingFaults, faults.list()) as LiveFault[],
      inboxes: inbound.inboxes.all().map(({ address }) => address),
      received: inbound.messages
        .all()
        .slice(-LISTED)
        .reverse()
        .map(({ id, subject, from, to, text, receivedAt: at }) => ({ id, subject, from, to, text, at })),
    };
  });
  return {
    'report.data': async ({ query }) => {
      const { addresses, site, title, without = '' } = query as Readonly<Record<string, string | undefined>>;
      const names = without.split(',').filter((name) => name !== '');
      const options = {
        ...(addresses !== undefined && { addresses }),
        ...(site !== undefined && { site }),
        ...(title !== undefined && { title }),
        checks: Object.fromEntries(names.map((name) => [name, false])),
      };
      controlledCheck(reportOptions, options, 'query');
      world().clock.settle();
      return ok(await reports.data(options as EmulatorReportOptions));
    },
    page: () => servedPage('emails'),
    'live.changes': async ({ query, gone }) => {
      const { since = '', waitMs = 0 } = query as { since?: string; waitMs?: number };
      world().clock.settle();
      return ok(await live.changes(since, waitMs, gone));
    },
    'live.due': ({ query }) => ok(live.due(Number(query.from), Number(query.to))),
    'live.findings': async () => ok(await reports.liveFindings()),
    'live.mail': ({ params }) => ok(recorded('email', live.mail(String(params.id)), params.id)),
    'live.search': ({ query }) => ok(live.found(String(query.text))),
    'live.remove': ({ params }) => {
      if (!live.remove(String(params.id))) throw notFound(`There is no email ${String(params.id)}`);
      return ok({});
    },
    'live.restore': ({ params }) => {
      if (!live.restore(String(params.id)))
        throw notFound(`Email ${String(params.id)} is not the last one that was deleted`);
      return ok({});
    },
    'live.html': ({ params, query }) => {
      const { images, scheme } = query as { images?: boolean; scheme?: 'light' | 'dark' };
      const { html, attachments } = recorded('email', live.mail(String(params.id)), params.id);
      const shown = scheme === undefined || html === null ? html : withScheme(html, scheme);
      const site = reports.site === undefined ? '' : ` ${new URL(reports.site).origin}`;
      return htmlOf(
        {
          html: shown === null ? null : withLinksInNewTabs(shown),
          attachments: attachments.map((one) => ({ ...one, content: one.content ?? '' })),
        },
        images === true ? ' http: https:' : site,
      );
    },
    'live.request': ({ params }) => ok(recorded('request', live.request(String(params.id)), params.id)),
  };
}

/** A page of this server, with its policy. */
export async function servedPage(kind: 'emails' | 'templates'): Promise<Reply> {
  const { pageOf } = await import('../../report/file/page-html.ts');
  const { html, policy } = await pageOf(kind);
  return {
    status: 200,
    content: { type: 'text/html; charset=utf-8', body: html },
    headers: { 'content-security-policy': policy },
  };
}

/** Refuses what a recorder does not have, or not any more. */
function recorded<Item>(noun: string, item: Item | undefined, id: unknown): Item {
  if (item === undefined) throw notFound(`There is no ${noun} ${String(id)}, or it has left`);
  return item;
}
