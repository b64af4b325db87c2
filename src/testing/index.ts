export { createEmulator } from './emulator.ts';
export type { EmulatorSeed } from './areas/areas.ts';
export type { EmulatorCampaignState } from './areas/campaigns/record.ts';
export type { EmulatorCampaignTiming } from './areas/campaigns/timing.ts';
export type { EmulatorClock } from './clock.ts';
export type { EmulatorCors } from './cors.ts';
export type {
  Emulator,
  EmulatorCampaignFields,
  EmulatorCampaigns,
  EmulatorClientOptions,
  EmulatorConnection,
  EmulatorControls,
  EmulatorDomain,
  EmulatorDomains,
  EmulatorServer,
} from './emulator-types.ts';
export type { EmulatorFault, EmulatorFaultKind, EmulatorFaultMatch, EmulatorFaults } from './faults.ts';
export type { EmulatorHost, EmulatorHosts } from './hosts.ts';
export type { EmulatorLimit, EmulatorLimits, EmulatorPool } from './limiter.ts';
export type { EmulatorOptions } from './options.ts';
export type { EmulatorRequest } from './request-log.ts';
export type { EmulatorAccess, EmulatorArea, EmulatorTokenOptions } from './tokens.ts';
export type { EmulatorWindowKind } from './windows.ts';
