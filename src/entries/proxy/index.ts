/**
 * A proxy for pages, which use the service through it without the token: `createProxy` on the server, `proxyHosts` in
 * the page.
 *
 * @module email-platform/proxy
 */
export { createProxy, type EmailProxy } from './proxy.ts';
export { proxyHosts, type ProxyHosts } from './hosts.ts';
export { toNodeListener, type NodeRequest, type NodeResponse } from './node.ts';
export type {
  Authorization,
  Failure,
  OperationCall,
  ProxyClient,
  ProxyLimits,
  ProxyOptions,
  Refusal,
  RefusalReason,
  Visitor,
} from './options.ts';
export type { OperationName, OperationPattern } from './routes.ts';
export type { PoolName, PoolSnapshot, ThrottleSnapshot } from '../../core/limits.ts';
export type { HostName } from '../../core/request.ts';
