/** The areas of the service. They may import state, routing and engine; they know no HTTP, no mailbox and no report. */
import { accounts } from './accounts/area.ts';
import { apiTokens } from './api-tokens/area.ts';
import type { Area } from '../routing/area.ts';
import { billing } from './billing/area.ts';
import { campaigns } from './campaigns/area.ts';
import { contacts } from './contacts/area.ts';
import { emailLogs } from './email-logs/area.ts';
import { inbound } from './inbound/area.ts';
import { organizations } from './organizations/area.ts';
import { sandbox } from './sandbox/area.ts';
import { sendingDomains } from './sending-domains/area.ts';
import { sending } from './sending/area.ts';
import { stats } from './stats/area.ts';
import { suppressions } from './suppressions/area.ts';
import { templates } from './templates/area.ts';
import { trackingOptOuts } from './tracking-opt-outs/area.ts';
import { webhooks } from './webhooks/area.ts';
import type { AreaSettings, AreaState } from '../state/world.ts';

/** All areas. An area comes after the areas that its initial data or snapshot refers to. */
const AREAS = [
  sendingDomains,
  contacts,
  campaigns,
  sandbox,
  accounts,
  apiTokens,
  organizations,
  billing,
  templates,
  sending,
  suppressions,
  trackingOptOuts,
  stats,
  emailLogs,
  webhooks,
  inbound,
] as const;

type Every = (typeof AREAS)[number];
type Kept<A> = A extends { readonly keep?: (world: never) => infer State } ? keyof State : never;
type Configured<A> = A extends { readonly options?: infer Options } ? keyof NonNullable<Options> : never;

// A compile error if no area keeps a part of AreaState, or has a group of AreaSettings.
true satisfies keyof AreaState extends Kept<Every> ? true : never;
true satisfies keyof AreaSettings extends Configured<Every> ? true : never;

/** Own fields alone, since most are optional: another package may have put one on `Object.prototype`. */
export const areas = AREAS.map((area) => ({ __proto__: null, ...area })) as unknown as readonly Area[];
